import { randomUUID } from 'node:crypto';
import { isCancelledFor } from './attendance.ts';
import { settleConference } from './conference.ts';
import { badRequest, fullSyncRequired, GoogleError, timeRangeEmpty } from './errors.ts';
import { parseInstant, spanOf } from './event-time.ts';
import { viewDeleted, viewEvent } from './event-view.ts';
import { calendarOf, type EventResource, findPerson, type Person, type Store, type StoredEvent } from './store.ts';
import { readSyncToken, type SyncPoint, writeSyncToken } from './sync-token.ts';

const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
];
const NO_SYNC_AFTER = ['iCalUID', 'orderBy', 'privateExtendedProperty', 'q', 'sharedExtendedProperty', 'updatedMin'];

interface Pages {
  email: string;
  rest: StoredEvent[];
  nextSyncToken: string | undefined;
}

const pending = new WeakMap<Store, Map<string, Pages>>();

/** One page of a calendar's events: a full listing, or what changed since a sync token. */
export function listEvents(store: Store, email: string, query: URLSearchParams) {
  const person = findPerson(store, email);
  const sync = syncPoint(query, person);
  const { rest, nextSyncToken } = resume(store, email, query) ?? {
    rest: select(store, person, query, sync),
    nextSyncToken: NO_SYNC_AFTER.some((name) => query.has(name))
      ? undefined
      : writeSyncToken({
          email,
          epoch: person.syncEpoch,
          version: store.version,
          timeMin: sync?.timeMin ?? query.get('timeMin'),
          timeMax: sync?.timeMax ?? query.get('timeMax'),
        }),
  };
  const size = Math.min(Number(query.get('maxResults') ?? 250), 2500);
  if (!Number.isInteger(size) || size < 1) throw badRequest();
  const isBare = query.has('syncToken') && query.get('showDeleted') !== 'true';
  const items = rest.slice(0, size).map((event) => show(store, event, email, isBare));
  const left = rest.slice(size);
  return {
    kind: 'calendar#events',
    etag: `"p${store.version}"`,
    summary: email,
    updated: new Date(store.clock.now()).toISOString(),
    timeZone: person.timezone,
    accessRole: 'owner',
    defaultReminders: [],
    ...(left.length > 0
      ? { nextPageToken: keep(store, { email, rest: left, nextSyncToken }) }
      : nextSyncToken && { nextSyncToken }),
    items,
  };
}

function show(store: Store, event: StoredEvent, email: string, isBare: boolean): EventResource {
  if (isBare && isCancelledFor(event, email)) return viewDeleted(event);
  return viewEvent(store, event, email);
}

function syncPoint(query: URLSearchParams, person: Person): SyncPoint | undefined {
  const token = query.get('syncToken');
  if (token === null) return undefined;
  if (NOT_WITH_SYNC_TOKEN.some((name) => query.has(name)) || query.get('showDeleted') === 'false') {
    throw badRequest('Sync token cannot be used together with the other parameters of this request.');
  }
  const point = readSyncToken(token);
  if (!point || point.email !== person.email || point.epoch !== person.syncEpoch) throw fullSyncRequired();
  return point;
}

function select(store: Store, person: Person, query: URLSearchParams, sync: SyncPoint | undefined): StoredEvent[] {
  const { email, timezone } = person;
  const events = [...calendarOf(store, email).values()];
  for (const event of events) settleConference(store, event, { isRead: true });
  const timeMin = instantIn(sync ? sync.timeMin : query.get('timeMin'));
  const timeMax = instantIn(sync ? sync.timeMax : query.get('timeMax'));
  if (timeMin !== undefined && timeMax !== undefined && timeMin >= timeMax) throw timeRangeEmpty();
  const updatedMin = instantIn(query.get('updatedMin'));
  const showsDeleted = sync !== undefined || updatedMin !== undefined || query.get('showDeleted') === 'true';
  const found = events.filter((event) => {
    const { start, end } = spanOf(event.fields, timezone);
    const isCancelled = isCancelledFor(event, email);
    return (
      (!sync || event.version > sync.version) &&
      (showsDeleted || !isCancelled) &&
      (updatedMin === undefined || event.updated >= updatedMin) &&
      ((sync && isCancelled) ||
        ((timeMin === undefined || end > timeMin) && (timeMax === undefined || start < timeMax))) &&
      matches(event, email, query)
    );
  });
  return order(found, query, timezone);
}

function matches(event: StoredEvent, email: string, query: URLSearchParams): boolean {
  const own = event.privateProperties.get(email) ?? {};
  const shared = event.fields.extendedProperties?.shared ?? {};
  const has = (properties: Record<string, string>) => (pair: string) => {
    const [name = '', ...value] = pair.split('=');
    return properties[name] === value.join('=');
  };
  const { summary, description, location } = event.fields;
  const text = [summary, description, location].join('\n').toLowerCase();
  const uid = query.get('iCalUID');
  return (
    query.getAll('privateExtendedProperty').every(has(own)) &&
    query.getAll('sharedExtendedProperty').every(has(shared)) &&
    text.includes((query.get('q') ?? '').toLowerCase()) &&
    (uid === null || uid === `${event.id}@google.com`)
  );
}

function order(events: StoredEvent[], query: URLSearchParams, zone: string): StoredEvent[] {
  const by = query.get('orderBy');
  if (by === 'updated') return events.sort((a, b) => a.version - b.version);
  if (by !== 'startTime') return events;
  if (query.get('singleEvents') !== 'true') {
    throw new GoogleError(400, 'badRequest', 'The requested ordering is not available for the particular query.');
  }
  return events.sort((a, b) => spanOf(a.fields, zone).start - spanOf(b.fields, zone).start);
}

const instantIn = (text: string | null | undefined) => (text ? parseInstant(text) : undefined);

function keep(store: Store, pages: Pages): string {
  const tokens = pending.get(store) ?? new Map<string, Pages>();
  pending.set(store, tokens);
  const token = randomUUID();
  tokens.set(token, pages);
  return token;
}

function resume(store: Store, email: string, query: URLSearchParams): Pages | undefined {
  const token = query.get('pageToken');
  if (token === null) return undefined;
  const pages = pending.get(store)?.get(token);
  if (pages?.email !== email) throw badRequest('Invalid page token value.');
  return pages;
}
