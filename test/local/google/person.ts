import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import { findCalendar, findPerson } from './accounts.ts';
import { nextConference } from './conference.ts';
import { instantOf, viewEvent } from './event-view.ts';
import { answerEvent, changeEvent, deleteEvent, insertEvent, moveEvent } from './event-write.ts';
import { findEvent } from './series.ts';
import { type EventResource, type EventTime, eventsOf, type Store, type StoredEvent, zoneOf } from './store.ts';

/** Person who acts, and the calendar of theirs that they act on. The default is the primary calendar. */
interface Hand {
  email: string;
  calendar?: string | undefined;
}

/** Event as a person enters it: with instants or, for whole days, with dates (the end is the day after the last). */
export interface NewEvent extends Hand {
  start: string;
  end: string;
  summary?: string | undefined;
  recurrence?: string[] | undefined;
  attendees?: string[] | undefined;
  transparency?: 'opaque' | 'transparent' | undefined;
  eventType?: 'focusTime';
  id?: string | undefined;
}

export interface PersonalChange extends Hand {
  /** Id of an event, of a series, or of one instance: `<series>_<when>`. */
  eventId: string;
  start?: string | undefined;
  end?: string | undefined;
  summary?: string | undefined;
  location?: string | undefined;
  /** False removes the video link, and true makes a new one. */
  conference?: boolean | undefined;
  recurrence?: string[] | undefined;
  transparency?: 'opaque' | 'transparent' | undefined;
  /** Id of another calendar of the person, to which they move the event. */
  moveTo?: string | undefined;
  restored?: boolean | undefined;
  responseStatus?: string | undefined;
  attendees?: EventResource['attendees'];
  deleted?: boolean | undefined;
  /** True, with the id of an instance, to act on this instance and all that follow. */
  following?: boolean | undefined;
}

const ALL_TOLD = { conferenceVersion: 0, sendUpdates: 'all' } as const;

/** Adds an event. A series recurs in its calendar's zone. Returns the event's id. */
export function enterEvent(store: Store, { email, calendar, start, end, attendees, ...fields }: NewEvent): string {
  const id = calendarOf(store, { email, calendar });
  const zone = zoneOf(store, id);
  const body = {
    ...withoutGaps({ ...fields, attendees: attendees?.map((address) => ({ email: address })) }),
    start: timeOf(start, zone),
    end: timeOf(end, zone),
  };
  return insertEvent(store, id, body, { ...ALL_TOLD, creator: findPerson(store, email).email }).id;
}

/** Changes, answers or deletes an event, a series, one instance, or an instance and all that follow. */
export function changePersonally(store: Store, change: PersonalChange): EventResource {
  const calendarId = calendarOf(store, change);
  const event = findEvent(store, calendarId, change.eventId);
  if (!event) throw new Error(`No event ${change.eventId} on ${calendarId}'s calendar`);
  const { responseStatus, deleted, following, conference, moveTo, restored } = change;
  if (following) return viewEvent(store, changeFollowing(store, event, calendarId, change), calendarId);
  const fields = fieldsOf(change, zoneOf(store, calendarId));
  if (fields.attendees) fields.attendees = fields.attendees.map((one) => ({ ...invited(event, one.email), ...one }));
  // The calendar gives a series the clock by which it recurs.
  if (fields.recurrence && !fields.start) {
    const timeZone = zoneOf(store, calendarId);
    Object.assign(fields, { start: { timeZone }, end: { timeZone } });
  }
  if (restored) fields.status = 'confirmed';
  if (conference !== undefined) nextConference(store, event, conference ? newConference() : null, 1);
  if (Object.keys(fields).length > 0 || conference !== undefined)
    changeEvent(store, event, calendarId, fields, ALL_TOLD);
  if (moveTo !== undefined) moveEvent(store, event, calendarId, findCalendar(store, moveTo).id);
  if (responseStatus && !answerEvent(store, event, calendarId, responseStatus)) {
    throw new Error(`${calendarId} is not an attendee of ${event.id}`);
  }
  if (deleted) deleteEvent(store, event, calendarId, 'all');
  return viewEvent(store, event, calendarId);
}

/**
 * Changes an instance and all that follow, as the calendar does: the series ends before this instance and, unless
 * deleted, a new series begins with it.
 */
function changeFollowing(store: Store, event: StoredEvent, calendarId: string, change: PersonalChange): StoredEvent {
  const series = eventsOf(store, calendarId).get(event.instance?.seriesId ?? '');
  const { original } = event.instance ?? {};
  if (!series || !original) throw new Error(`${event.id} is no instance of a series`);
  const { conferenceData: _data, hangoutLink: _link, ...before } = structuredClone(series.fields);
  const zone = zoneOf(store, calendarId);
  const body = { recurrence: (before.recurrence ?? []).map((line) => endBefore(line, original, zone)) };
  changeEvent(store, series, calendarId, body, ALL_TOLD);
  if (change.deleted) return series;
  const { start, end } = event.fields;
  const next = { ...before, ...(start && { start }), ...(end && { end }), ...fieldsOf(change, zone) };
  const id = `${series.id.split('_', 1)[0]}_R${timeStamp(original, zone)}`;
  return insertEvent(store, calendarId, next, { ...ALL_TOLD, id, creator: findPerson(store, change.email).email });
}

const invited = ({ fields }: StoredEvent, email: string | null | undefined) =>
  fields.attendees?.find((attendee) => attendee.email === email?.toLowerCase());

const newConference = () => ({
  createRequest: { requestId: randomUUID(), conferenceSolutionKey: { type: 'hangoutsMeet' } },
});

const timeStamp = (time: EventTime, zone: string) =>
  DateTime.fromMillis(instantOf(time, zone), { zone: 'UTC' }).toFormat("yyyyMMdd'T'HHmmss");

function endBefore(line: string, original: EventTime, zone: string): string {
  if (!/^RRULE:/i.test(line)) return line;
  const last = DateTime.fromMillis(instantOf(original, zone), { zone: 'UTC' }).minus({ seconds: 1 });
  const day = DateTime.fromISO(original.date ?? '', { zone: 'UTC' }).minus({ days: 1 });
  const until = original.date ? day.toFormat('yyyyMMdd') : last.toFormat("yyyyMMdd'T'HHmmss'Z'");
  return `${line.replaceAll(/;?(UNTIL|COUNT)=[^;]*/gi, '').replace(/^RRULE:;/i, 'RRULE:')};UNTIL=${until}`;
}

function fieldsOf(change: PersonalChange, zone: string): EventResource {
  const { start, end, summary, location, recurrence, transparency, attendees } = change;
  return {
    ...withoutGaps({ summary, location, recurrence, transparency, attendees }),
    ...(start ? { start: replacing(timeOf(start, zone)) } : {}),
    ...(end ? { end: replacing(timeOf(end, zone)) } : {}),
  };
}

const withoutGaps = (fields: object): EventResource =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function timeOf(text: string, zone: string): EventTime {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { date: text } : { dateTime: text, timeZone: zone };
}

// A change merges into the event, so null removes the former date or time.
const replacing = (time: EventTime): EventTime =>
  time.date ? { ...time, dateTime: null, timeZone: null } : { ...time, date: null };

function calendarOf(store: Store, { email, calendar }: Hand): string {
  const person = findPerson(store, email);
  return calendar === undefined ? person.email : findCalendar(store, calendar).id;
}
