import { checkAttendees } from './attendance.ts';
import { checkTimes, spanOf } from './event-time.ts';
import { checkRecurrence } from './recurrence.ts';
import type { EventResource, StoredEvent } from './store.ts';

const WRITABLE = [
  'summary',
  'description',
  'location',
  'start',
  'end',
  'attendees',
  'recurrence',
  'transparency',
  'visibility',
  'eventType',
  'outOfOfficeProperties',
  'focusTimeProperties',
  'workingLocationProperties',
  'birthdayProperties',
  'colorId',
  'reminders',
  'guestsCanModify',
  'guestsCanInviteOthers',
  'guestsCanSeeOtherGuests',
  'source',
] as const;

const LONGEST_KEY = 44;
const LONGEST_VALUE = 1024;

/** Checks a request's body and returns the fields that a client may write. `conference.ts` handles the conference. */
export function writableFields(body: EventResource): EventResource {
  const given = Object.fromEntries(WRITABLE.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
  const fields: EventResource = structuredClone(given);
  if (fields.attendees) fields.attendees = checkAttendees(fields.attendees);
  if (body.extendedProperties?.shared) {
    fields.extendedProperties = { shared: trimProperties(body.extendedProperties.shared) };
  }
  return fields;
}

/** Merges fields like PATCH: objects merge, null removes, and arrays and other values are replaced. */
export function mergeFields<T extends object>(old: T, change: object): T {
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
export function replaceFields(event: StoredEvent, next: EventResource, calendarZone: string): boolean {
  checkTimes(next, calendarZone);
  checkRecurrence(next);
  const { conferenceData, hangoutLink } = event.fields;
  const timesOf = (fields: EventResource) => [spanOf(fields, calendarZone), fields.recurrence ?? []];
  const hasMoved = JSON.stringify(timesOf(event.fields)) !== JSON.stringify(timesOf(next));
  const { conferenceData: _data, hangoutLink: _link, ...fields } = next;
  event.fields = {
    ...fields,
    ...(conferenceData ? { conferenceData } : {}),
    ...(hangoutLink ? { hangoutLink } : {}),
  };
  return hasMoved;
}

/** Drops keys that are too long and cuts values that are too long, without an error, as Google does. */
export function trimProperties(properties: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key, value]) => key.length <= LONGEST_KEY && value !== null)
      .map(([key, value]) => [key, String(value).slice(0, LONGEST_VALUE)]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
