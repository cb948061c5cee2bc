import { allows } from './accounts.ts';
import { isCancelledFor } from './attendance.ts';
import { showTime } from './event-time.ts';
import { type EventResource, type Role, type Store, type StoredEvent, zoneOf } from './store.ts';

export const etagOf = (event: StoredEvent) => `"${(3_500_000_000_000_000 + event.version * 2).toString()}"`;

/** Returns the event as one calendar shows it to a person with this role. */
export function viewEvent(store: Store, event: StoredEvent, calendarId: string, role: Role = 'owner'): EventResource {
  const zone = zoneOf(store, calendarId);
  const isPrivate = ['private', 'confidential'].includes(event.fields.visibility ?? 'default');
  if (!allows(role, isPrivate ? 'writer' : 'reader')) return viewTimes(event, calendarId, zone);
  const { start: _start, end: _end, attendees, extendedProperties, ...fields } = event.fields;
  const properties = {
    ...(event.privateProperties.has(calendarId) ? { private: { ...event.privateProperties.get(calendarId) } } : {}),
    ...(extendedProperties?.shared ? { shared: extendedProperties.shared } : {}),
  };
  const who = (email: string) => ({ email, ...(email === calendarId ? { self: true } : {}) });
  return structuredClone({
    ...head(event, calendarId),
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${event.id} ${calendarId}`).toString('base64url')}`,
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
    ...(Object.keys(properties).length > 0 ? { extendedProperties: properties } : {}),
    reminders: fields.reminders ?? { useDefault: true },
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

function viewTimes(event: StoredEvent, calendarId: string, zone: string): EventResource {
  const { recurrence } = event.fields;
  return {
    ...head(event, calendarId),
    visibility: 'private',
    ...(recurrence ? { recurrence } : {}),
    ...times(event, zone),
  };
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
