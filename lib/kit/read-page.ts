import type { Place, Rows } from '../../schema/api/paging.ts';

/** Asks for at most `limit` rows after a position, or for all remaining ones. */
export type PageRequest = { limit?: number | undefined; after?: Place | undefined };

const AT_ONCE = 1_000;

/** One row more than the page still needs shows if another page follows. */
export const rowsToAsk = ({ limit, atOnce = AT_ONCE, have = 0 }: PageRequest & { atOnce?: number; have?: number }) =>
  limit === undefined ? atOnce : Math.min(limit + 1 - have, atOnce);

interface Page<Row> extends PageRequest {
  /** Rows per query, because one database answer holds only a limited number. */
  atOnce?: number;
  placeOf: (row: Row) => Place;
  /** The rows of the first query, if it ran beside others. */
  first?: Row[];
}

/** `next` is the place of the page's last row, set if another page follows. */
export async function readPage<Row>(
  { limit, after, atOnce = AT_ONCE, placeOf, first }: Page<Row>,
  list: (page: Rows) => PromiseLike<Row[]>,
): Promise<{ rows: Row[]; next: Place | undefined }> {
  const most = rowsToAsk({ limit, atOnce });
  const found = [...(first ?? (await list({ limit: most, after })))];
  let isFull = found.length === most;
  for (let last = found.at(-1); last !== undefined && isFull; last = found.at(-1)) {
    const asked = rowsToAsk({ limit, atOnce, have: found.length });
    if (asked === 0) break;
    const page = await list({ limit: asked, after: placeOf(last) });
    found.push(...page);
    isFull = page.length === asked;
  }
  return pageOf(found, limit, placeOf);
}

/** Cuts a page out of rows, of which one more than `limit` shows that another page follows. */
export function pageOf<Row>(found: Row[], limit: number | undefined, placeOf: (row: Row) => Place) {
  const rows = found.slice(0, limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, next: last && placeOf(last) };
}
