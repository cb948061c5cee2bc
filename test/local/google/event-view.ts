import { DateTime } from 'luxon';
import { isCancelledFor } from './attendance.ts';
import { badRequest, GoogleError, invalid, required } from './errors.ts';
import { type EventResource, type EventTime, type Store, type StoredEvent, zoneOf } from './store.ts';

export const etagOf = (event: StoredEvent) => `"${(3_500_000_000_000_000 + event.version * 2).toString()}"`;

export function viewEvent(store: Store, event: StoredEvent, calendarId: string): EventResource {
  const zone = zoneOf(store, calendarId);
  const { start: _start, end: _end, attendees, ...fields } = event.fields;
  const own = event.privateProperties.get(calendarId);
  const who = (email: string) => ({ email, ...(email === calendarId ? { self: true } : {}) });
  return structuredClone({
    ...head(event, calendarId),
    created: new Date(event.created).toISOString(),
    updated: new Date(event.updated).toISOString(),
    ...fields,
    creator: who(event.creator),
    organizer: who(event.organizer),
    ...times(event, zone),
    iCalUID: `${event.instance?.seriesId ?? event.id}@google.com`,
    sequence: event.sequence,
    ...(attendees?.length
      ? {
          attendees: attendees.map((attendee) => ({
            ...attendee,
            ...(attendee.email === event.organizer ? { organizer: true } : {}),
            ...(attendee.email === calendarId ? { self: true } : {}),
          })),
        }
      : {}),
    ...(own ? { extendedProperties: { private: own } } : {}),
    eventType: fields.eventType ?? 'default',
  });
}

/**
 * Returns the fields that an incremental sync still shows of a deleted event. For an instance, they say which one it
 * was.
 */
export function viewDeleted(store: Store, event: StoredEvent, calendarId: string): EventResource {
  return { ...head(event, calendarId), status: 'cancelled', ...place(event, zoneOf(store, calendarId)) };
}

function head(event: StoredEvent, calendarId: string): EventResource {
  const status = isCancelledFor(event, calendarId) ? 'cancelled' : 'confirmed';
  return { kind: 'calendar#event', etag: etagOf(event), id: event.id, status };
}

function times(event: StoredEvent, zone: string): EventResource {
  const { start = {}, end = {} } = event.fields;
  return { start: showTime(start, zone), end: showTime(end, zone), ...place(event, zone) };
}

function place({ instance }: StoredEvent, zone: string): EventResource {
  if (!instance) return {};
  return { recurringEventId: instance.seriesId, originalStartTime: showTime(instance.original, zone) };
}

const HAS_OFFSET = /T.*(Z|[+-]\d{2}:?\d{2})$/i;
const IN_UTC = /T[\d:.]+Z$/;

/** Returns one end of an event in epoch ms. An all-day event starts and ends at the calendar's own midnight. */
export function instantOf(time: EventTime, calendarZone: string): number {
  if (time.date) return DateTime.fromISO(time.date, { zone: calendarZone }).toMillis();
  if (IN_UTC.test(time.dateTime ?? '')) return Date.parse(time.dateTime ?? '');
  return DateTime.fromISO(time.dateTime ?? '', { zone: time.timeZone ?? calendarZone }).toMillis();
}

export function spanOf(fields: EventResource, calendarZone: string): { start: number; end: number } {
  return { start: instantOf(fields.start ?? {}, calendarZone), end: instantOf(fields.end ?? {}, calendarZone) };
}

/** Formats a time as the API does: with the calendar's offset, and with the name of the event's own zone. */
function showTime(time: EventTime, calendarZone: string): EventTime {
  if (time.date) return { date: time.date };
  return { dateTime: isoIn(instantOf(time, calendarZone), calendarZone), timeZone: time.timeZone ?? calendarZone };
}

function isoIn(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
}

/** Formats an instant in UTC, as the API does. */
export const isoOf = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');

const isZone = (zone: string) => DateTime.local({ zone }).isValid;

/** Parses the time of a query or of free/busy to epoch ms. Refuses a time without an offset. */
export function parseInstant(text: string): number {
  const instant = HAS_OFFSET.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw badRequest();
  return instant;
}

/** Refuses an event whose times are missing, malformed, mixed or reversed. */
export function checkTimes(fields: EventResource, calendarZone: string): void {
  checkOne(fields.start, 'start');
  checkOne(fields.end, 'end');
  if (Boolean(fields.start?.date) !== Boolean(fields.end?.date)) throw invalid('Invalid start time.');
  const { start, end } = spanOf(fields, calendarZone);
  if (end < start) {
    throw new GoogleError(400, 'timeRangeEmpty', 'The specified time range is empty.', { domain: 'calendar' });
  }
}

function checkOne(time: EventTime | undefined, which: 'start' | 'end'): void {
  if (!time?.date && !time?.dateTime) throw required(`Missing ${which} time.`);
  if (time.date && time.dateTime) throw invalid(`Invalid ${which} time.`);
  if (time.timeZone && !isZone(time.timeZone)) {
    throw invalid(`Invalid time zone definition for ${which} time.`);
  }
  if (time.dateTime && !HAS_OFFSET.test(time.dateTime) && !time.timeZone) {
    throw required(`Missing time zone definition for ${which} time.`);
  }
  if (Number.isNaN(instantOf(time, 'UTC'))) throw invalid(`Invalid ${which} time.`);
}
