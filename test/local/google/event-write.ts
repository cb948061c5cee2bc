import { randomBytes } from 'node:crypto';
import { addressesOf, respond, responseOf } from './attendance.ts';
import { nextConference } from './conference.ts';
import { deleted, duplicate, invalid, nonOrganizer } from './errors.ts';
import { mergeFields, replaceFields, trimProperties, writableFields } from './event-fields.ts';
import { checkTimes, spanOf } from './event-time.ts';
import { type SendUpdates, sendMails } from './mails.ts';
import { calendarOf, type EventResource, type Store, type StoredEvent, touch } from './store.ts';

export interface WriteOptions {
  conferenceVersion: number;
  sendUpdates: SendUpdates;
}

const QUIET: WriteOptions = { conferenceVersion: 0, sendUpdates: 'none' };
const CLIENT_ID = /^[a-v0-9]{5,1024}$/;

const zoneOf = (store: Store, email: string) => store.people.get(email)?.timezone ?? 'UTC';

export function insertEvent(store: Store, email: string, body: EventResource, options = QUIET): StoredEvent {
  if (body.id !== undefined && body.id !== null && !CLIENT_ID.test(body.id))
    throw invalid('Invalid resource id value.');
  const id = body.id ?? randomBytes(16).toString('hex').slice(0, 26);
  if (calendarOf(store, email).has(id)) throw duplicate();
  const now = store.clock.now();
  const fields = writableFields(body);
  const event: StoredEvent = {
    id,
    organizer: email,
    fields: {},
    members: new Set([email, ...addressesOf(fields)]),
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
  replaceFields(event, fields, zoneOf(store, email));
  event.sequence = 0;
  nextConference(store, event, body.conferenceData, options.conferenceVersion);
  setPrivateProperties(event, email, body.extendedProperties?.private ?? undefined);
  touch(store, event);
  sendMails(store, event, { from: email, kind: 'invitation', sendUpdates: options.sendUpdates });
  return event;
}

/** PATCH (`isMerge`) or PUT, by the organizer or, within an invitee's bounds, by an attendee. */
export function changeEvent(
  store: Store,
  event: StoredEvent,
  email: string,
  body: EventResource,
  { isMerge, ...options }: WriteOptions & { isMerge: boolean },
): void {
  const change = writableFields(body);
  const next = isMerge ? mergeFields(event.fields, change) : change;
  if (email === event.organizer || event.fields.guestsCanModify) {
    checkTimes(next, zoneOf(store, event.organizer));
    const asked = isMerge || body.conferenceData ? body.conferenceData : null;
    nextConference(store, event, asked, options.conferenceVersion);
    changeShared(store, event, email, next, options);
    if (body.status === 'confirmed' || (!isMerge && body.status !== 'cancelled')) event.cancelled = false;
  } else {
    changeOwn(store, event, email, next, options);
  }
  const properties = body.extendedProperties?.private;
  const own = event.privateProperties.get(email) ?? {};
  if (properties) setPrivateProperties(event, email, isMerge ? mergeFields(own, properties) : properties);
  else if (!isMerge) event.privateProperties.delete(email);
  touch(store, event);
}

function changeShared(store: Store, event: StoredEvent, email: string, next: EventResource, options: WriteOptions) {
  const before = addressesOf(event.fields);
  replaceFields(event, next, zoneOf(store, event.organizer));
  const after = addressesOf(event.fields);
  for (const address of after) {
    event.members.add(address);
    if (!before.includes(address)) event.removedBy.delete(address);
  }
  const { sendUpdates } = options;
  const stayed = after.filter((address) => before.includes(address));
  const came = after.filter((address) => !before.includes(address));
  const left = before.filter((address) => !after.includes(address));
  sendMails(store, event, { from: email, kind: 'update', sendUpdates, to: stayed });
  sendMails(store, event, { from: email, kind: 'invitation', sendUpdates, to: came });
  sendMails(store, event, { from: email, kind: 'cancellation', sendUpdates, to: left });
}

function changeOwn(store: Store, event: StoredEvent, email: string, next: EventResource, options: WriteOptions) {
  if (sharedPart(next) !== sharedPart(event.fields)) throw nonOrganizer();
  const answer = next.attendees?.find((attendee) => attendee.email === email)?.responseStatus;
  if (!answer || answer === responseOf(event, email)) return;
  respond(event, email, answer);
  sendMails(store, event, { from: email, kind: 'response', sendUpdates: options.sendUpdates, to: [event.organizer] });
}

function sharedPart(fields: EventResource): string {
  const { summary, description, location } = fields;
  return JSON.stringify([summary, description, location, spanOf(fields, 'UTC'), addressesOf(fields).sort()]);
}

/** The organizer's delete cancels for all; an attendee's removes their copy and declines. */
export function deleteEvent(store: Store, event: StoredEvent, email: string, sendUpdates: SendUpdates = 'none'): void {
  if (event.cancelled || event.removedBy.has(email)) throw deleted();
  if (email === event.organizer) {
    event.cancelled = true;
    sendMails(store, event, { from: email, kind: 'cancellation', sendUpdates });
  } else {
    event.removedBy.add(email);
    respond(event, email, 'declined');
    sendMails(store, event, { from: email, kind: 'response', sendUpdates, to: [event.organizer] });
  }
  touch(store, event);
}

function setPrivateProperties(event: StoredEvent, email: string, properties: Record<string, unknown> | undefined) {
  if (properties) event.privateProperties.set(email, trimProperties(properties));
}
