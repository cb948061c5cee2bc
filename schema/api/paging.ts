import * as z from 'zod';
import { docs } from '#docs';
import { objectOf, optionalOf, stringOrNull, minutes as whole, wholeText } from './fields.ts';

/** The last row of the previous page: its id, and the instant in epoch ms that orders the list. */
export type Place = { at: number; id: string };

/** A statement lists so many rows after a place, or from the first. */
export type Rows = { limit: number; after: Place | undefined };

export const LARGEST_PAGE = 200;
/** Number of items on a page of a list that comes in pages anyway. */
export const USUAL_PAGE = 50;

/** Writes a position in a list as an opaque cursor that is safe in a URL. */
export const formatCursor = ({ at, id }: Place): string =>
  btoa(`${at}.${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Returns undefined unless `formatCursor` made the cursor from a row whose id begins with `prefix`. */
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

export const pageLimit = wholeText(1, LARGEST_PAGE);

/** `prefix` begins the ids of the list's rows, so that another list's cursor is refused. */
export const pageQuery = (prefix: string) => ({
  limit: pageLimit.optional(),
  cursor: optionalOf(
    z.string().transform((cursor, context) => {
      const place = parseCursor(cursor, prefix);
      if (place !== undefined) return place;
      context.addIssue('must be a `next_cursor` that an earlier page of the same list returned');
      return z.NEVER;
    }),
    docs('Value of `next_cursor` from the previous page. Without `cursor`, the response is the first page.'),
  ),
});

/** The OpenAPI document shows a number instead of the text that is parsed. */
export const shownLimit = optionalOf(
  whole(1, LARGEST_PAGE),
  docs(
    'Largest number of items per page of the list, 1 to 200. Without `limit`, the response contains all items of the list.',
  ),
);

export const shownPage = (description: string, usual = USUAL_PAGE) => ({
  limit: whole(1, LARGEST_PAGE).default(usual).describe(description),
});

export const Pagination = objectOf(docs('How to get the next page of the list, if there is one.'), {
  next_cursor: stringOrNull(docs('Value to send as `cursor` to get the next page. Null on the last page of the list.')),
  has_more: z.boolean().describe(docs('True if the list has another page after this one.')),
});
export type Pagination = z.infer<typeof Pagination>;

/** `next` is the page's last row if another page follows, and otherwise undefined. */
export const toPagination = (next: Place | undefined): Pagination => ({
  next_cursor: next === undefined ? null : formatCursor(next),
  has_more: next !== undefined,
});
