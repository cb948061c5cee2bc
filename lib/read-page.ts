import type { Place } from '../schema/api/paging.ts';

/** What is wanted of a list: at most so many rows from after a place; all that is left without `limit`. */
export interface PageRequest {
  limit?: number | undefined;
  after?: Place | undefined;
}

/** How many rows the next statement of a page asks for: one more than the page has, to know whether another follows. */
export const rowsToAsk = ({ limit, atOnce, have = 0 }: { limit: number | undefined; atOnce: number; have?: number }) =>
  limit === undefined ? atOnce : Math.min(limit + 1 - have, atOnce);

/**
 * A page whose first rows were read already, all that is left without `limit`. The others are read `atOnce` rows at a
 * time, as one answer of the database holds only so much. `next` is the page's last row where another follows.
 */
export async function readPage<Row>(
  { limit, atOnce, first }: { limit: number | undefined; atOnce: number; first: Row[] },
  more: (after: Row, limit: number) => PromiseLike<Row[]>,
): Promise<{ rows: Row[]; next: Row | undefined }> {
  const found = [...first];
  let isFull = first.length === rowsToAsk({ limit, atOnce });
  for (let last = found.at(-1); last !== undefined && isFull; last = found.at(-1)) {
    const asked = rowsToAsk({ limit, atOnce, have: found.length });
    if (asked === 0) break;
    const page = await more(last, asked);
    found.push(...page);
    isFull = page.length === asked;
  }
  const rows = found.slice(0, limit);
  return { rows, next: found.length > rows.length ? rows.at(-1) : undefined };
}
