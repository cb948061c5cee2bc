import { randomBytes } from 'node:crypto';
import { addressesOf, checkAttendees, respond } from './attendance.ts';
import { nextConference } from './conference.ts';
import { deleted, duplicate, invalid, nonOrganizer } from './errors.ts';
import { checkTimes, spanOf } from './event-view.ts';
import { checkRecurrence, isSeries } from './recurrence.ts';
import { exceptionsOf, followSeries } from './series.ts';
import { type EventResource, eventsOf, type Mail, type Store, type StoredEvent, touch, zoneOf } from './store.ts';

type SendUpdates = 'all' | 'none';

interface WriteOptions {
  conferenceVersion: number;
  sendUpdates: SendUpdates;
}

const QUIET: WriteOptions = { conferenceVersion: 0, sendUpdates: 'none' };
const CLIENT_ID = /^[a-v0-9]{5,1024}$/;

/** Creates an event on a calendar in the name of `creator`. */
export function insertEvent(
  store: Store,
  calendarId: string,
  body: EventResource,
  { creator = calendarId, id: ownId, ...options }: WriteOptions & { creator?: string; id?: string } = QUIET,
): StoredEvent {
  if (body.id !== undefined && body.id !== null && !CLIENT_ID.test(body.id))
    throw invalid('Invalid resource id value.');
  const id = ownId ?? body.id ?? randomBytes(16).toString('hex').slice(0, 26);
  if (eventsOf(store, calendarId).has(id)) throw duplicate();
  const now = store.clock.now();
  const fields = writableFields(body);
  const event: StoredEvent = {
    id,
    organizer: calendarId,
    creator,
    fields: {},
    members: new Set([calendarId, ...addressesOf(fields)]),
    removedBy: new Set(),
    privateProperties: new Map(),
    cancelled: false,
    sequence: 0,
    created: now,
    updated: now,
    version: 0,
    conferenceRequestedAt: now,
    conferenceReads: 0,
  };
  replaceFields(event, fields, zoneOf(store, calendarId));
  nextConference(store, event, body.conferenceData, options.conferenceVersion);
  if (body.extendedProperties?.private) event.privateProperties.set(calendarId, body.extendedProperties.private);
  touch(store, event);
  sendMails(store, event, { from: calendarId, kind: 'invitation', sendUpdates: options.sendUpdates });
  return event;
}

/**
 * Changes an event by PATCH. Only its organizer may change what all attendees see. A change of a series also changes its
 * instances. A change of an instance leaves its series alone.
 */
export function changeEvent(
  store: Store,
  event: StoredEvent,
  calendarId: string,
  body: EventResource,
  options: WriteOptions,
): void {
  if (body.status === 'cancelled') {
    deleteEvent(store, event, calendarId, options.sendUpdates);
    return;
  }
  if (event.instance && body.recurrence?.length) throw invalid('Invalid recurrence rule.');
  const before = structuredClone(event.fields);
  const next = mergeFields(event.fields, writableFields(body));
  if (calendarId === event.organizer) {
    checkTimes(next, zoneOf(store, event.organizer));
    checkRecurrence(next);
    nextConference(store, event, body.conferenceData, options.conferenceVersion);
    changeShared(store, event, calendarId, next, options);
    if (body.status === 'confirmed') event.cancelled = false;
  } else if (sharedPart(next) !== sharedPart(event.fields)) throw nonOrganizer();
  const properties = body.extendedProperties?.private;
  const own = event.privateProperties.get(calendarId) ?? {};
  if (properties) event.privateProperties.set(calendarId, mergeFields(own, properties));
  touch(store, event);
  followSeries(store, event, before);
}

function changeShared(store: Store, event: StoredEvent, from: string, next: EventResource, options: WriteOptions) {
  const before = addressesOf(event.fields);
  if (replaceFields(event, next, zoneOf(store, event.organizer))) event.sequence += 1;
  const after = addressesOf(event.fields);
  for (const address of after) {
    event.members.add(address);
    if (!before.includes(address)) event.removedBy.delete(address);
  }
  const { sendUpdates } = options;
  const stayed = after.filter((address) => before.includes(address));
  const came = after.filter((address) => !before.includes(address));
  const left = before.filter((address) => !after.includes(address));
  sendMails(store, event, { from, kind: 'update', sendUpdates, to: stayed });
  sendMails(store, event, { from, kind: 'invitation', sendUpdates, to: came });
  sendMails(store, event, { from, kind: 'cancellation', sendUpdates, to: left });
}

/** Moves an event to another calendar. Whoever is invited keeps it on their own, the former organizer too. */
export function moveEvent(store: Store, event: StoredEvent, from: string, to: string): void {
  if (event.organizer !== from) throw nonOrganizer();
  event.organizer = to;
  event.members.add(to);
  const properties = event.privateProperties.get(from);
  if (properties) event.privateProperties.set(to, properties);
  touch(store, event);
}

/**
 * Records a person's own response to an event. The response to a series also applies to every instance that was not
 * answered on its own.
 */
export function answerEvent(store: Store, event: StoredEvent, email: string, answer: string): boolean {
  const before = structuredClone(event.fields);
  if (!respond(event, email, answer)) return false;
  touch(store, event);
  followSeries(store, event, before);
  return true;
}

function sharedPart(fields: EventResource): string {
  const { summary, description, location, recurrence } = fields;
  return JSON.stringify([
    summary,
    description,
    location,
    recurrence,
    spanOf(fields, 'UTC'),
    addressesOf(fields).sort(),
  ]);
}

/**
 * Deletes an event. The organizer cancels it for everyone; an attendee removes their own copy and declines. Deleting a
 * series deletes all its instances.
 */
export function deleteEvent(
  store: Store,
  event: StoredEvent,
  calendarId: string,
  sendUpdates: SendUpdates = 'none',
): void {
  if (event.cancelled || event.removedBy.has(calendarId)) throw deleted();
  const alone = isSeries(event.fields) ? exceptionsOf(store, calendarId, event.id) : [];
  for (const each of [event, ...alone.filter(({ cancelled }) => !cancelled)]) {
    if (calendarId === event.organizer) {
      each.cancelled = true;
    } else {
      each.removedBy.add(calendarId);
      respond(each, calendarId, 'declined');
    }
    touch(store, each);
  }
  const told =
    calendarId === event.organizer
      ? { kind: 'cancellation' as const }
      : { kind: 'response' as const, to: [event.organizer] };
  sendMails(store, event, { from: calendarId, sendUpdates, ...told });
}

const WRITABLE = [
  'summary',
  'description',
  'location',
  'start',
  'end',
  'attendees',
  'recurrence',
  'transparency',
  'eventType',
] as const;

/** Checks a request's body and returns the fields that a client may write. `conference.ts` handles the conference. */
function writableFields(body: EventResource): EventResource {
  const given = Object.fromEntries(WRITABLE.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
  const fields: EventResource = structuredClone(given);
  if (fields.attendees) fields.attendees = checkAttendees(fields.attendees);
  return fields;
}

/** Merges fields like PATCH: objects merge, null removes, and arrays and other values are replaced. */
function mergeFields<T extends object>(old: T, change: object): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(old));
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else if (isRecord(value) && isRecord(before)) merged[key] = mergeFields(before, value);
    else if (value !== undefined) merged[key] = value;
  }
  return merged as T;
}

/** Replaces an event's fields and keeps its conference. Returns true if the times or the recurrence changed. */
function replaceFields(event: StoredEvent, next: EventResource, calendarZone: string): boolean {
  checkTimes(next, calendarZone);
  checkRecurrence(next);
  const { conferenceData, hangoutLink } = event.fields;
  const timesOf = (fields: EventResource) => [spanOf(fields, calendarZone), fields.recurrence ?? []];
  const hasMoved = JSON.stringify(timesOf(event.fields)) !== JSON.stringify(timesOf(next));
  const { conferenceData: _data, hangoutLink: _link, ...fields } = next;
  event.fields = { ...fields, ...(conferenceData ? { conferenceData } : {}), ...(hangoutLink ? { hangoutLink } : {}) };
  return hasMoved;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const sendUpdatesOf = ({ sendUpdates }: Record<string, string>): SendUpdates =>
  sendUpdates === 'all' ? 'all' : 'none';

/** Records the mails that Google would send. `to` defaults to everyone invited. The person who acts gets none. */
function sendMails(
  store: Store,
  event: StoredEvent,
  input: { from: string; kind: Mail['kind']; sendUpdates: SendUpdates; to?: string[] },
): void {
  const { from, kind, sendUpdates, to = addressesOf(event.fields) } = input;
  if (sendUpdates === 'none') return;
  for (const address of new Set(to))
    if (address !== from) store.mails.push({ to: address, from, kind, eventId: event.id, at: store.clock.now() });
}
