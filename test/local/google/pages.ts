import { randomUUID } from 'node:crypto';
import { badRequest, fullSyncRequired } from './errors.ts';
import type { Store, StoredEvent } from './store.ts';
import { isSameReading, type Reading } from './sync-token.ts';

/** Rest of a list that was found but not shown yet. */
export interface Listing {
  reading: Reading;
  isSync: boolean;
  rest: StoredEvent[];
  nextSyncToken: string | undefined;
}

const waiting = new WeakMap<Store, Map<string, Listing>>();

/** Returns the list that a page token continues. Answers 410 if its sync token has expired since. */
export function continued(store: Store, query: URLSearchParams, reading: Reading): Listing | undefined {
  const token = query.get('pageToken');
  if (token === null) return undefined;
  const listing = waiting.get(store)?.get(token);
  if (listing?.reading.calendarId !== reading.calendarId) throw badRequest('Invalid page token value.');
  if (isSameReading(listing.reading, reading)) return listing;
  throw listing.isSync ? fullSyncRequired() : badRequest('Invalid page token value.');
}

/** Returns the next page of a list, and the token that follows. */
export function nextPage(store: Store, query: URLSearchParams, listing: Listing) {
  const size = Math.min(Number(query.get('maxResults') ?? 250), store.settings.mostOnAPage);
  if (!Number.isInteger(size) || size < 1) throw badRequest();
  const rest = listing.rest.slice(size);
  const { nextSyncToken } = listing;
  const token = rest.length > 0 ? { nextPageToken: keep(store, { ...listing, rest }) } : { nextSyncToken };
  return { events: listing.rest.slice(0, size), token };
}

function keep(store: Store, listing: Listing): string {
  const tokens = waiting.get(store) ?? new Map<string, Listing>();
  waiting.set(store, tokens);
  const token = randomUUID();
  tokens.set(token, listing);
  return token;
}
