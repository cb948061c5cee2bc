import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { retryTransient, withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { meetingNotFound } from '../errors.ts';
import { type CalendarAttendee, CalendarError, type CalendarEvent } from '../ports.ts';
import type { Trace } from './carry-out.ts';

const TRIES = 3;

/** What an event is to be: its times in epoch milliseconds, and `other` among the invited in place of `instead`. */
export interface Wanted {
  start: number;
  end: number;
  other?: string | undefined;
  instead?: string | undefined;
}

/**
 * Gives the event its new times, and people where they change; whoever else is invited stays, with their answers. An
 * event that is as wanted already is left alone. Throws `meeting_not_found` when it was deleted in the calendar.
 */
export const moveOnCalendar = (
  ctx: Ctx,
  requester: ConnectedPerson,
  eventId: string,
  wanted: Wanted,
  trace: Trace,
): Promise<CalendarEvent> =>
  retryTransient(ctx, () => withCalendar(ctx, requester, (token) => move(ctx, token, eventId, wanted, trace)));

async function move(ctx: Ctx, token: string, id: string, wanted: Wanted, trace: Trace): Promise<CalendarEvent> {
  for (let tries = TRIES; ; tries--) {
    try {
      const event = await ctx.calendar.getEvent(token, id);
      if (event.status === 'cancelled') throw meetingNotFound();
      if (shows(event, wanted)) return event;
      trace.isSent = true;
      const { start, end } = wanted;
      const attendees = attendeesOf(event, wanted);
      return await ctx.calendar.patchEvent(token, id, { etag: event.etag, start, end, attendees });
    } catch (error) {
      if (!(error instanceof CalendarError)) throw error;
      if (error.kind === 'not_found' || error.kind === 'gone') throw meetingNotFound();
      if (error.kind !== 'changed' || tries === 1) throw error;
    }
  }
}

/** Whether the event is as wanted. */
export function shows(event: CalendarEvent, wanted: Wanted): boolean {
  return event.start === wanted.start && event.end === wanted.end && attendeesOf(event, wanted) === undefined;
}

/** The list with its change, or undefined when there is none: a list that is sent replaces the old one. */
function attendeesOf({ attendees }: CalendarEvent, { other, instead }: Wanted): CalendarAttendee[] | undefined {
  const is = (email: string | undefined) => (attendee: CalendarAttendee) => attendee.email.toLowerCase() === email;
  const kept = instead === other ? attendees : attendees.filter((attendee) => !is(instead)(attendee));
  const isMissing = other !== undefined && !attendees.some(is(other));
  if (!isMissing && kept.length === attendees.length) return undefined;
  return isMissing ? [...kept, { email: other }] : kept;
}
