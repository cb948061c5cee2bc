import type { Place } from '../../schema/api/paging.ts';

/** Asks for at most `limit` rows after a position, or for all remaining ones. */
export interface PageRequest {
  limit?: number | undefined;
  after?: Place | undefined;
}

/**
 * Returns the number of rows to request in the next query for a page of a list, of which `have` rows were already read.
 * It is one row more than the page still needs, because that row shows if another page follows. It is at most `atOnce`.
 */
export const rowsToAsk = ({ limit, atOnce, have = 0 }: { limit: number | undefined; atOnce: number; have?: number }) =>
  limit === undefined ? atOnce : Math.min(limit + 1 - have, atOnce);

/**
 * Completes a page whose first rows were read. Reads `atOnce` rows per query, because one database answer holds only a
 * limited number. `next` is the page's last row, set if another page follows.
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
