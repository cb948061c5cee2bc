import * as z from 'zod';
import { minutes as whole, wholeText } from './fields.ts';

/** A place in a list: the row before the next page, by the instant that orders the list, epoch milliseconds, and its id. */
export interface Place {
  at: number;
  id: string;
}

export const LARGEST_PAGE = 200;

/** A place as clients carry it: opaque, safe in a URL. */
export const formatCursor = ({ at, id }: Place): string =>
  btoa(`${at}.${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Reads one back; undefined for what `formatCursor` did not make of a row with such an id. */
function parseCursor(cursor: string, prefix: string): Place | undefined {
  if (!/^[\w-]{1,200}$/.test(cursor)) return undefined;
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const [, at, id] = /^(\d{1,13})\.(\w{1,64})$/.exec(text) ?? [];
    return at === undefined || id === undefined || !id.startsWith(prefix) ? undefined : { at: Number(at), id };
  } catch {
    return undefined;
  }
}

/** The parameters of every list; `prefix` begins the ids of its rows, so that another list's cursor is refused. */
export const pageQuery = (prefix: string) => ({
  limit: wholeText(1, LARGEST_PAGE).optional(),
  cursor: z
    .string()
    .transform((cursor, context) => {
      const place = parseCursor(cursor, prefix);
      if (place !== undefined) return place;
      context.addIssue('must be a next_cursor of this list');
      return z.NEVER;
    })
    .optional()
    .describe('The `next_cursor` of the page before'),
});

/** `limit` as the document has it. */
export const shownLimit = whole(1, LARGEST_PAGE)
  .optional()
  .describe('The most a page has; without it all are answered');

/** Where the next page of a list begins. */
export const Pagination = z
  .object({
    next_cursor: z.string().nullable().describe('The `cursor` of the next page; null on the last'),
    has_more: z.boolean().describe('Whether another page follows'),
  })
  .describe('Where the next page begins');
export type Pagination = z.infer<typeof Pagination>;

/** The end of a page, by the last row of it that another follows. */
export const toPagination = (next: Place | undefined): Pagination => ({
  next_cursor: next === undefined ? null : formatCursor(next),
  has_more: next !== undefined,
});
