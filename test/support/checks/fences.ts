/** The batches of statements the Worker has sent, each shape once. */
const batches = new Map<string, string[]>();

/** Notes the batch of a request to Postgres, if it is one. */
export function noteBatch(bodyText: string): void {
  const { queries } = JSON.parse(bodyText) as { queries?: { query: string }[] };
  const texts = queries?.map(({ query }) => query.replaceAll('"', '').replace(/\s+/g, ' ')) ?? [];
  if (texts.length > 1) batches.set(texts.join('; '), texts);
}

/**
 * Batches that act under a lease and do not take the leased row first: each statement sees what was committed before it,
 * so that the lease can pass on in between and half a batch goes in.
 */
export const fenceViolations = (): string[] => [...batches.values()].flatMap(looseFences);

/** The leased tables of a batch that it neither locks first nor fails for, as sentences. */
export function looseFences(texts: string[]): string[] {
  const [first = ''] = texts.filter((text) => !isPlainRead(text));
  const fenced = new Set(texts.flatMap(fencesOf));
  return [...fenced]
    .filter((table) => !locks(first, table) && !texts.some((text) => failsFor(text, table)))
    .map((table) => `a batch acts under a lease of ${table} and first does another thing: ${texts.join('; ')}`);
}

const isPlainRead = (text: string) => /^\s*select\b/.test(text) && !/\bfor (no key )?update\b/.test(text);

/** The tables whose owner a statement asks for. */
function fencesOf(text: string): string[] {
  const asked = text.slice(Math.max(0, text.search(/\bwhere\b|\bcase when\b/)));
  return [...asked.matchAll(/\b(\w+)\.(?:refresh_)?owner = \$/g)].map(([, name = '']) => tableOf(text, name));
}

/** What a name in a statement stands for. */
function tableOf(text: string, name: string): string {
  const named = [...text.matchAll(/\b(?:from|join|update|into)\s+(\w+)\s+(?:as\s+)?(\w+)/g)];
  return named.find(([, , alias]) => alias === name)?.[1] ?? name;
}

/** Whether a statement takes rows of the table for the rest of the transaction. */
const locks = (text: string, table: string) =>
  new RegExp(`^\\s*update ${table} |^\\s*select .*from ${table} .*for (no key )?update`).test(text);

/** Whether a statement makes the batch fail, by a null, when the leased row is not as it must be. */
const failsFor = (text: string, table: string) =>
  new RegExp(`^\\s*insert into .*(values \\(.*\\( ?select .*|case when .*)(from|join) ${table} `).test(text);
