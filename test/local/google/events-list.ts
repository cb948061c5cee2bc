import { randomUUID } from 'node:crypto';
import { isCancelledFor } from './attendance.ts';
import { settleConference } from './conference.ts';
import { badRequest, fullSyncRequired, timeRangeEmpty } from './errors.ts';
import { parseInstant, spanOf, viewDeleted, viewEvent } from './event-view.ts';
import { isSeries, startsFrom, type Window } from './recurrence.ts';
import { eventsWithin } from './series.ts';
import { eventsOf, type Store, type StoredEvent } from './store.ts';
import type { Access } from './token.ts';

/** Parameters that Tandem does not use. A list that left them out of account would be wrong without a sign. */
const NOT_SERVED = [
  ...['eventTypes', 'iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty', 'showDeleted'],
  'updatedMin',
];

/** Returns one page of a calendar's events: a full list, or the changes since a sync token. */
export function listEvents(store: Store, access: Access, query: URLSearchParams) {
  const other = NOT_SERVED.find((name) => query.has(name));
  if (other !== undefined) throw badRequest(`The stand-in does not serve ${other}.`);
  const reading = { calendarId: access.calendar.id, epoch: access.calendar.syncEpoch };
  const sync = syncPoint(query, reading);
  const listing = continued(store, query, reading) ?? {
    reading,
    isSync: sync !== undefined,
    rest: select(store, access, query, sync),
    nextSyncToken: nextSyncToken({ ...reading, version: store.version }),
  };
  return page(store, access, query, listing);
}

function page(store: Store, { calendar }: Access, query: URLSearchParams, listing: Listing) {
  const { events, token } = nextPage(store, query, listing);
  return {
    kind: 'calendar#events',
    timeZone: calendar.timezone,
    ...token,
    items: events.map((event) =>
      listing.isSync && isCancelledFor(event, calendar.id)
        ? viewDeleted(store, event, calendar.id)
        : viewEvent(store, event, calendar.id),
    ),
  };
}

function select(store: Store, access: Access, query: URLSearchParams, sync: SyncPoint | undefined): StoredEvent[] {
  const { id, timezone } = access.calendar;
  for (const event of eventsOf(store, id).values()) settleConference(store, event, { isRead: true });
  const window = windowOf(query);
  const isExpanded = query.get('singleEvents') === 'true';

  function isShown(event: StoredEvent): boolean {
    if (sync || !isCancelledFor(event, id)) return true;
    const series = event.instance && eventsOf(store, id).get(event.instance.seriesId);
    return !isExpanded && series !== undefined && !isCancelledFor(series, id);
  }

  const candidates = isExpanded ? eventsWithin(store, id, window) : [...eventsOf(store, id).values()];
  return candidates.filter(
    (event) =>
      (!sync || event.version > sync.version) &&
      isShown(event) &&
      ((sync && isCancelledFor(event, id)) || isWithin(event, timezone, window)),
  );
}

function isWithin({ fields }: StoredEvent, zone: string, window: Window): boolean {
  const { start, end } = spanOf(fields, zone);
  if (start >= window.end) return false;
  return end > window.start || (isSeries(fields) && startsFrom(fields, window.start - (end - start) + 1));
}

function windowOf(query: URLSearchParams): Window {
  const bound = (name: string, otherwise: number) =>
    query.get(name) ? parseInstant(query.get(name) ?? '') : otherwise;
  const window = { start: bound('timeMin', Number.NEGATIVE_INFINITY), end: bound('timeMax', Number.POSITIVE_INFINITY) };
  if (window.start >= window.end) throw timeRangeEmpty();
  return window;
}

/** Rest of a list that was found but not shown yet. */
interface Listing {
  reading: Reading;
  isSync: boolean;
  rest: StoredEvent[];
  nextSyncToken: string;
}

const waiting = new WeakMap<Store, Map<string, Listing>>();

/** Returns the list that a page token continues. Answers 410 if its sync token has expired since. */
function continued(store: Store, query: URLSearchParams, reading: Reading): Listing | undefined {
  const token = query.get('pageToken');
  if (token === null) return undefined;
  const listing = waiting.get(store)?.get(token);
  if (listing?.reading.calendarId !== reading.calendarId) throw badRequest('Invalid page token value.');
  if (isSameReading(listing.reading, reading)) return listing;
  throw listing.isSync ? fullSyncRequired() : badRequest('Invalid page token value.');
}

function nextPage(store: Store, query: URLSearchParams, listing: Listing) {
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

const NOT_WITH_SYNC_TOKEN = ['timeMin', 'timeMax', 'singleEvents'];

/** Calendar of a list, and the time for which its sync tokens live. */
interface Reading {
  calendarId: string;
  epoch: number;
}

/** Version at which a list ended. The list's time bounds do not carry over. */
interface SyncPoint extends Reading {
  version: number;
}

/**
 * Returns the version that a query's sync token stands for. Answers 400 if other parameters contradict it, and 410 if
 * it is too old or belongs to another list.
 */
function syncPoint(query: URLSearchParams, reading: Reading): SyncPoint | undefined {
  const token = query.get('syncToken');
  if (token === null) return undefined;
  if (NOT_WITH_SYNC_TOKEN.some((name) => query.has(name)))
    throw badRequest('Sync token cannot be used together with the other parameters of this request.');
  const point = parse(token);
  if (!point || !isSameReading(point, reading)) throw fullSyncRequired();
  return point;
}

const nextSyncToken = (point: SyncPoint): string => Buffer.from(JSON.stringify(point)).toString('base64url');

const isSameReading = (one: Reading, other: Reading): boolean =>
  one.calendarId === other.calendarId && one.epoch === other.epoch;

function parse(token: string): SyncPoint | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as SyncPoint;
  } catch {
    return undefined;
  }
}
