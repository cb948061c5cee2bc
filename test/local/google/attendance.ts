import type { calendar_v3 } from '@googleapis/calendar';
import { invalid } from './errors.ts';
import type { EventResource, StoredEvent } from './store.ts';

type Attendee = calendar_v3.Schema$EventAttendee;

const RESPONSES = ['needsAction', 'declined', 'tentative', 'accepted'];

/**
 * Returns attendees in the form in which they are stored: addresses in lower case, and a response for each
 * (`needsAction` if none is given).
 */
export function checkAttendees(attendees: unknown): Attendee[] {
  if (!Array.isArray(attendees)) throw invalid('Invalid value for: attendees');
  return attendees.map((attendee: Attendee) => {
    const email = attendee.email?.trim().toLowerCase();
    if (!email || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalid('Invalid attendee email.');
    const responseStatus = attendee.responseStatus ?? 'needsAction';
    if (!RESPONSES.includes(responseStatus)) throw invalid('Invalid value for: responseStatus');
    const { optional, comment } = attendee;
    return { email, responseStatus, ...(optional ? { optional } : {}), ...(comment ? { comment } : {}) };
  });
}

export function addressesOf(fields: EventResource): string[] {
  return (fields.attendees ?? []).flatMap(({ email }) => (email ? [email] : []));
}

export function responseOf(event: StoredEvent, email: string): string | undefined {
  return event.fields.attendees?.find((attendee) => attendee.email === email)?.responseStatus ?? undefined;
}

/** Records an attendee's own response in the shared event. Returns false if they were not invited. */
export function respond(event: StoredEvent, email: string, answer: string): boolean {
  const attendee = event.fields.attendees?.find((candidate) => candidate.email === email);
  if (!attendee) return false;
  attendee.responseStatus = answer;
  return true;
}

/**
 * Returns true if the event no longer exists on this calendar. The calendar of an invited person has their address as
 * its id.
 */
export function isCancelledFor(event: StoredEvent, calendarId: string): boolean {
  const stillInvited = event.organizer === calendarId || addressesOf(event.fields).includes(calendarId);
  return event.cancelled || event.removedBy.has(calendarId) || !stillInvited;
}

export function blocks(event: StoredEvent, calendarId: string): boolean {
  return (
    !isCancelledFor(event, calendarId) &&
    event.fields.transparency !== 'transparent' &&
    responseOf(event, calendarId) !== 'declined'
  );
}
