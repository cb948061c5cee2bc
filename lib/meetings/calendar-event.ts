import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { retryTransient, withCalendar } from '../calendars/calls.ts';
import type { Account } from '../calendars/grants/access-token.ts';
import type { Ctx } from '../context.ts';
import { AppError, meetingNotFound } from '../errors.ts';
import { type CalendarAttendee, CalendarError, type CalendarEvent, type NewEvent } from '../ports.ts';
import type { Interval } from '../scheduling/types.ts';
import type { Trace } from './operation.ts';

const LINK_WAIT_MS = 3_000;
const LINK_POLL_MS = 500;
const MOVE_TRIES = 3;

/** The event was deleted, or never was. */
const isGone = (error: unknown): boolean =>
  error instanceof CalendarError && ['not_found', 'gone'].includes(error.kind);

/** The calendar no longer lets us look: nothing of ours can be changed there. */
export function isClosed(error: unknown): boolean {
  if (error instanceof CalendarError) return ['forbidden', 'invalid'].includes(error.kind);
  return error instanceof AppError && ['calendar_reconnect_required', 'user_not_found'].includes(error.code);
}

export const readEvent = (ctx: Ctx, requester: Account, id: string): Promise<CalendarEvent> =>
  withCalendar(ctx, requester, (token) => ctx.calendar.getEvent(token, id));

/** The event as it stands: `gone` when it was deleted, `closed` when the calendar no longer lets us look. Throws when it cannot be told now. */
export async function lookUpEvent(
  ctx: Ctx,
  requester: Account,
  id: string,
): Promise<CalendarEvent | 'gone' | 'closed'> {
  try {
    const event = await readEvent(ctx, requester, id);
    return event.status === 'cancelled' ? 'gone' : event;
  } catch (error) {
    if (isGone(error)) return 'gone';
    if (isClosed(error)) return 'closed';
    throw error;
  }
}

/** Sub-second parts are not kept by calendars. */
const SAME_TIME_MS = 1_000;

/** The time the event has; what was asked for where it says the same, or has become one of whole days. */
export function shownTime({ start, end }: CalendarEvent, asked: Interval): Interval {
  if (start === undefined || end === undefined || end <= start) return asked;
  const isSame = Math.abs(start - asked.start) < SAME_TIME_MS && Math.abs(end - asked.end) < SAME_TIME_MS;
  return isSame ? asked : { start, end };
}

/** Puts the event on the requester's calendar and waits up to 3 s for its link; an event that is already there is taken. */
export async function putEvent(
  ctx: Ctx,
  requester: ConnectedPerson,
  event: NewEvent,
  trace: Trace,
): Promise<CalendarEvent> {
  let stored = await retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => insertOrFind(ctx, token, event, trace)),
  );
  const giveUpAt = ctx.clock.now() + LINK_WAIT_MS;
  while (stored.linkPending && stored.meetLink === null && ctx.clock.now() + LINK_POLL_MS < giveUpAt) {
    await ctx.sleep(LINK_POLL_MS);
    // The meeting stands; only its link is not known yet.
    stored = await readEvent(ctx, requester, event.id).catch(() => stored);
  }
  return stored;
}

async function insertOrFind(ctx: Ctx, token: string, event: NewEvent, trace: Trace): Promise<CalendarEvent> {
  trace.requestSent = true;
  try {
    return await ctx.calendar.insertEvent(token, event);
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'duplicate') throw error;
    const found = await ctx.calendar.getEvent(token, event.id);
    if (found.status === 'cancelled' || found.meetingId !== event.meetingId)
      throw new CalendarError('invalid', 'the event id belongs to something else', undefined, error);
    return found;
  }
}

/** What an event is to be: its times in epoch milliseconds, and `other` among the invited in place of `instead`. */
export interface Wanted {
  start: number;
  end: number;
  other?: string | undefined;
  instead?: string | undefined;
}

/** The event as it is before it is changed; throws `meeting_not_found` when it was deleted in the calendar. */
export const findEvent = (ctx: Ctx, requester: ConnectedPerson, id: string): Promise<CalendarEvent> =>
  retryTransient(ctx, () =>
    readEvent(ctx, requester, id).catch((error: unknown) => {
      throw isGone(error) ? meetingNotFound() : error;
    }),
  );

/**
 * Gives the event its new times, and people where they change; whoever else is invited stays, with their answers. An
 * event that is as wanted already is left alone, and one that was `found` read again only when it has changed since.
 * Throws `meeting_not_found` when it was deleted in the calendar.
 */
export const moveEvent = (
  ctx: Ctx,
  requester: ConnectedPerson,
  id: string,
  wanted: Wanted,
  trace: Trace,
  found?: CalendarEvent,
): Promise<CalendarEvent> =>
  retryTransient(ctx, () => withCalendar(ctx, requester, (token) => move(ctx, token, { id, found }, wanted, trace)));

async function move(
  ctx: Ctx,
  token: string,
  { id, found }: { id: string; found: CalendarEvent | undefined },
  wanted: Wanted,
  trace: Trace,
): Promise<CalendarEvent> {
  for (let tries = MOVE_TRIES, known = found; ; tries--, known = undefined) {
    try {
      const event = known ?? (await ctx.calendar.getEvent(token, id));
      if (event.status === 'cancelled') throw meetingNotFound();
      if (isAsWanted(event, wanted)) return event;
      trace.requestSent = true;
      const { start, end } = wanted;
      const attendees = attendeesOf(event, wanted);
      return await ctx.calendar.patchEvent(token, id, { etag: event.etag, start, end, attendees });
    } catch (error) {
      if (isGone(error)) throw meetingNotFound();
      if (!(error instanceof CalendarError) || error.kind !== 'changed' || tries === 1) throw error;
    }
  }
}

export function isAsWanted(event: CalendarEvent, wanted: Wanted): boolean {
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

/** Gives an event that was just looked up another time, unless it has changed since: then `CalendarError` `changed`. */
export const putBack = (ctx: Ctx, requester: ConnectedPerson, event: CalendarEvent, wanted: Wanted): Promise<unknown> =>
  withCalendar(ctx, requester, (token) => {
    const { start, end } = wanted;
    return ctx.calendar.patchEvent(token, event.id, {
      etag: event.etag,
      start,
      end,
      attendees: attendeesOf(event, wanted),
    });
  });

/** Deletes the event, both are told; one that is gone is as good. */
export function deleteEvent(
  ctx: Ctx,
  requester: ConnectedPerson,
  id: string,
  trace: Trace = { requestSent: false },
): Promise<void> {
  return retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => {
      trace.requestSent = true;
      return ctx.calendar.deleteEvent(token, id);
    }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  );
}
