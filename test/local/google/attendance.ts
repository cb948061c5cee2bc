import type { calendar_v3 } from '@googleapis/calendar';
import { invalid } from './errors.ts';
import type { EventResource, StoredEvent } from './store.ts';

type Attendee = calendar_v3.Schema$EventAttendee;

const RESPONSES = ['needsAction', 'declined', 'tentative', 'accepted'];

/** Attendees as stored: addresses in lower case, an answer for each (`needsAction` when none is given). */
export function checkAttendees(attendees: unknown): Attendee[] {
  if (!Array.isArray(attendees)) throw invalid('Invalid value for: attendees');
  return attendees.map((attendee: Attendee) => {
    const email = attendee.email?.trim().toLowerCase();
    if (!email || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalid('Invalid attendee email.');
    const responseStatus = attendee.responseStatus ?? 'needsAction';
    if (!RESPONSES.includes(responseStatus)) throw invalid('Invalid value for: responseStatus');
    const { displayName, optional, comment } = attendee;
    return {
      email,
      responseStatus,
      ...(displayName ? { displayName } : {}),
      ...(optional ? { optional } : {}),
      ...(comment ? { comment } : {}),
    };
  });
}

export function addressesOf(fields: EventResource): string[] {
  return (fields.attendees ?? []).flatMap(({ email }) => (email ? [email] : []));
}

export function responseOf(event: StoredEvent, email: string): string | undefined {
  return event.fields.attendees?.find((attendee) => attendee.email === email)?.responseStatus ?? undefined;
}

/** Records one attendee's own answer in the shared event; false when they were not invited. */
export function respond(event: StoredEvent, email: string, answer: string): boolean {
  const attendee = event.fields.attendees?.find((candidate) => candidate.email === email);
  if (!attendee) return false;
  attendee.responseStatus = answer;
  return true;
}

export function isCancelledFor(event: StoredEvent, email: string): boolean {
  const stillInvited = event.organizer === email || addressesOf(event.fields).includes(email);
  return event.cancelled || event.removedBy.has(email) || !stillInvited;
}

/** Whether the event makes this member busy. */
export function blocks(event: StoredEvent, email: string): boolean {
  return (
    !isCancelledFor(event, email) &&
    event.fields.transparency !== 'transparent' &&
    responseOf(event, email) !== 'declined'
  );
}
