import { randomUUID } from 'node:crypto';
import { isCancelledFor } from './attendance.ts';
import { settleConference } from './conference.ts';
import { badRequest, fullSyncRequired, GoogleError, timeRangeEmpty } from './errors.ts';
import { parseInstant, spanOf, viewDeleted, viewEvent } from './event-view.ts';
import { isSeries, startsFrom, type Window } from './recurrence.ts';
import { droppedSince, eventsWithin, instancesWithin } from './series.ts';
import { eventsOf, type Store, type StoredEvent } from './store.ts';
import type { Access } from './token.ts';

/** Parameters that Tandem does not use. A list that left them out of account would be wrong without a sign. */
const NOT_SERVED = ['eventTypes', 'iCalUID', 'privateExtendedProperty', 'q', 'sharedExtendedProperty', 'updatedMin'];

/** Returns one page of a calendar's events: a full list, or the changes since a sync token. */
export function listEvents(store: Store, access: Access, query: URLSearchParams) {
  const other = NOT_SERVED.find((name) => query.has(name));
  if (other !== undefined) throw badRequest(`The stand-in does not serve ${other}.`);
  const reading = readingOf(access, query);
  const sync = syncPoint(query, reading);
  const listing = continued(store, query, reading) ?? {
    reading,
    isSync: sync !== undefined,
    rest: select(store, access, query, sync),
    nextSyncToken: nextSyncToken(query, reading, store.version),
  };
  return page(store, access, query, listing);
}

function page(store: Store, { calendar, role }: Access, query: URLSearchParams, listing: Listing) {
  const { events, token } = nextPage(store, query, listing);
  const isBare = listing.isSync && query.get('showDeleted') !== 'true';
  return {
    kind: 'calendar#events',
    etag: `"p${store.version}"`,
    summary: calendar.summary,
    updated: new Date(store.clock.now()).toISOString(),
    timeZone: calendar.timezone,
    accessRole: role,
    defaultReminders: [],
    ...token,
    items: events.map((event) =>
      isBare && isCancelledFor(event, calendar.id)
        ? viewDeleted(store, event, calendar.id)
        : viewEvent(store, event, calendar.id, role),
    ),
  };
}

function readingOf({ calendar, role, reader }: Access, query: URLSearchParams): Reading {
  const isExpanded = query.get('singleEvents') === 'true';
  return { calendarId: calendar.id, epoch: calendar.syncEpoch, reader, role, isExpanded };
}

function select(store: Store, access: Access, query: URLSearchParams, sync: SyncPoint | undefined): StoredEvent[] {
  const { id, timezone } = access.calendar;
  for (const event of eventsOf(store, id).values()) settleConference(store, event, { isRead: true });
  const window = windowOf(query);
  const showsDeleted = sync !== undefined || query.get('showDeleted') === 'true';
  const isExpanded = query.get('singleEvents') === 'true';

  function isShown(event: StoredEvent): boolean {
    if (showsDeleted || !isCancelledFor(event, id)) return true;
    const series = event.instance && eventsOf(store, id).get(event.instance.seriesId);
    return !isExpanded && series !== undefined && !isCancelledFor(series, id);
  }

  const found = candidates(store, id, { window, sync, isExpanded }).filter(
    (event) =>
      (!sync || event.version > sync.version) &&
      isShown(event) &&
      ((sync && isCancelledFor(event, id)) || isWithin(event, timezone, window)),
  );
  return order(found, access, query);
}

function candidates(
  store: Store,
  calendarId: string,
  { window, sync, isExpanded }: { window: Window; sync: SyncPoint | undefined; isExpanded: boolean },
): StoredEvent[] {
  const stored = [...eventsOf(store, calendarId).values()];
  if (!isExpanded) return stored;
  if (!sync) return eventsWithin(store, calendarId, window);
  return stored.flatMap((event) => [
    ...(isSeries(event.fields) ? instancesWithin(store, calendarId, event, window).filter(isUntouched) : [event]),
    ...(event.former ? droppedSince(store, calendarId, event, { version: sync.version, window }) : []),
  ]);

  function isUntouched({ id }: StoredEvent): boolean {
    return !eventsOf(store, calendarId).has(id);
  }
}

function isWithin({ fields }: StoredEvent, zone: string, window: Window): boolean {
  const { start, end } = spanOf(fields, zone);
  if (start >= window.end) return false;
  return end > window.start || (isSeries(fields) && startsFrom(fields, window.start - (end - start) + 1));
}

function order(events: StoredEvent[], access: Access, query: URLSearchParams): StoredEvent[] {
  if (query.get('orderBy') !== 'startTime') return events;
  if (query.get('singleEvents') !== 'true') {
    throw new GoogleError(400, 'badRequest', 'The requested ordering is not available for the particular query.');
  }
  const startOf = ({ fields }: StoredEvent) => spanOf(fields, access.calendar.timezone).start;
  return events.sort((a, b) => startOf(a) - startOf(b));
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
  nextSyncToken: string | undefined;
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

const NOT_WITH_SYNC_TOKEN = ['orderBy', 'timeMin', 'timeMax'];

/** Calendar and options of a list. A sync token works only for the same calendar and options. */
interface Reading {
  calendarId: string;
  epoch: number;
  reader: string;
  role: string;
  /** True for a list of instances in the place of their series. */
  isExpanded: boolean;
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
  if (NOT_WITH_SYNC_TOKEN.some((name) => query.has(name)) || query.get('showDeleted') === 'false') {
    throw badRequest('Sync token cannot be used together with the other parameters of this request.');
  }
  const point = parse(token);
  if (!point || !isSameReading(point, reading)) throw fullSyncRequired();
  if (point.isExpanded !== reading.isExpanded) {
    throw badRequest('Sync token must be used with the parameters of the initial request.');
  }
  return point;
}

/** Returns the sync token with which a list ends, or none if a token could not continue the list. */
function nextSyncToken(query: URLSearchParams, reading: Reading, version: number): string | undefined {
  if (query.has('orderBy')) return undefined;
  const point: SyncPoint = { ...reading, version };
  return Buffer.from(JSON.stringify(point)).toString('base64url');
}

function isSameReading(one: Reading, other: Reading): boolean {
  const key = ({ calendarId, epoch, reader, role }: Reading) => JSON.stringify([calendarId, epoch, reader, role]);
  return key(one) === key(other);
}

function parse(token: string): SyncPoint | undefined {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as SyncPoint;
  } catch {
    return undefined;
  }
}
