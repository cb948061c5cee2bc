import { isCancelledFor } from './attendance.ts';
import { showTime } from './event-time.ts';
import type { EventResource, Store, StoredEvent } from './store.ts';

export const etagOf = (event: StoredEvent) => `"${(3_500_000_000_000_000 + event.version * 2).toString()}"`;

/** The event as it stands on one member's calendar. */
export function viewEvent(store: Store, event: StoredEvent, email: string): EventResource {
  const zone = store.people.get(email)?.timezone ?? 'UTC';
  const { start = {}, end = {}, attendees, extendedProperties, ...fields } = event.fields;
  const properties = {
    ...(event.privateProperties.has(email) ? { private: { ...event.privateProperties.get(email) } } : {}),
    ...(extendedProperties?.shared ? { shared: extendedProperties.shared } : {}),
  };
  const organizer = { email: event.organizer, ...(event.organizer === email ? { self: true } : {}) };
  return structuredClone({
    kind: 'calendar#event',
    etag: etagOf(event),
    id: event.id,
    status: isCancelledFor(event, email) ? 'cancelled' : 'confirmed',
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${event.id} ${email}`).toString('base64url')}`,
    created: new Date(event.created).toISOString(),
    updated: new Date(event.updated).toISOString(),
    ...fields,
    creator: organizer,
    organizer,
    start: showTime(start, zone),
    end: showTime(end, zone),
    iCalUID: `${event.id}@google.com`,
    sequence: event.sequence,
    ...(attendees?.length
      ? {
          attendees: attendees.map((attendee) => ({
            ...attendee,
            ...(attendee.email === event.organizer ? { organizer: true } : {}),
            ...(attendee.email === email ? { self: true } : {}),
          })),
        }
      : {}),
    ...(Object.keys(properties).length > 0 ? { extendedProperties: properties } : {}),
    reminders: fields.reminders ?? { useDefault: true },
    eventType: 'default',
  });
}

/** All that an incremental sync still says about a deleted event. */
export function viewDeleted(event: StoredEvent): EventResource {
  return { kind: 'calendar#event', etag: etagOf(event), id: event.id, status: 'cancelled' };
}
