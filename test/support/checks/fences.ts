/** Batches of statements the Worker has sent, one of each shape. */
const batches = new Map<string, string[]>();

/** Records a request to Postgres if it is a batch. */
export function noteBatch(bodyText: string): void {
  const { queries = [] } = JSON.parse(bodyText) as { queries?: { query: string }[] };
  const shape = queries.map(({ query }) => query).join('; ');
  if (queries.length > 1 && !batches.has(shape))
    batches.set(
      shape,
      queries.map(({ query }) => query.replaceAll('"', '').replace(/\s+/g, ' ')),
    );
}

/**
 * Finds batches that act under a lease without locking the leased row first. Each statement sees everything committed
 * before it, so the lease could pass to another writer in between and half a batch would be applied.
 */
export const fenceViolations = (): string[] => [...batches.values()].flatMap(looseFences);

/** Lists, as sentences, the leased tables that a batch neither locks first nor fails for. */
export function looseFences(texts: string[]): string[] {
  const [first = ''] = texts.filter((text) => !isPlainRead(text));
  const fenced = new Set(texts.flatMap(fencesOf));
  return [...fenced]
    .filter((table) => !locks(first, table) && !texts.some((text) => failsFor(text, table)))
    .map((table) => `a batch acts under a lease of ${table} and first does another thing: ${texts.join('; ')}`);
}

const isPlainRead = (text: string) => /^\s*select\b/.test(text) && !/\bfor (no key )?update\b/.test(text);

/** Lists the tables whose owner a statement checks. */
function fencesOf(text: string): string[] {
  const asked = text.slice(Math.max(0, text.search(/\bwhere\b|\bcase when\b/)));
  return [...asked.matchAll(/\b(\w+)\.(?:refresh_)?owner = \$/g)].map(([, name = '']) => tableOf(text, name));
}

function tableOf(text: string, name: string): string {
  const named = [...text.matchAll(/\b(?:from|join|update|into)\s+(\w+)\s+(?:as\s+)?(\w+)/g)];
  return named.find(([, , alias]) => alias === name)?.[1] ?? name;
}

/** Returns true if a statement locks rows of the table for the rest of the transaction. */
const locks = (text: string, table: string) =>
  new RegExp(`^\\s*update ${table} |^\\s*select .*from ${table} .*for (no key )?update`).test(text);

/**
 * Returns true for a statement that refuses, and so fails the batch, when the leased row is not in the required state.
 */
const failsFor = (text: string, table: string) =>
  new RegExp(`^\\s*insert into .*(coalesce\\(\\( ?select .*|case when .*)(from|join) ${table} .*refuse\\(`).test(text);
