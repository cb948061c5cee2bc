import { retryTransient, withCalendar } from '../../calendars/calls.ts';
import type { Account } from '../../calendars/grants/access-token.ts';
import {
  type CalendarAttendee,
  CalendarError,
  type CalendarEvent,
  CalendarLimit,
  type NewEvent,
} from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { eventDeleted } from '../../kit/errors.ts';
import { sha256 } from '../../kit/keys.ts';
import type { Trace } from './operation.ts';
import { isGone, MAIN, type OwnEvent, readEvent, readOwnEvent, rootOf } from './own-event.ts';

const LINK_WAIT_MS = 3_000;
const LINK_POLL_MS = 500;
const MOVE_TRIES = 3;

/** Derived from the meeting's id, so that a retry finds the event. The calendar accepts 40 hex digits as an id. */
export const eventIdOf = async (meetingId: string): Promise<string> =>
  (await sha256(`event:${meetingId}`)).slice(0, 40);

/** Waits up to 3 s for the video link. If the meeting's event already exists, returns that. */
export async function putEvent(ctx: Ctx, requester: Account, event: NewEvent, trace: Trace): Promise<CalendarEvent> {
  let stored = await retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => insertOrFind(ctx, token, event, trace)),
  );
  const giveUpAt = ctx.clock.now() + LINK_WAIT_MS;
  while (stored.linkPending && stored.meetLink === null && ctx.clock.now() + LINK_POLL_MS < giveUpAt) {
    await ctx.sleep(LINK_POLL_MS);
    // The meeting is booked even if this read fails. Only its link is still unknown.
    stored = await readEvent(ctx, requester, event).catch(() => stored);
  }
  return stored;
}

/** A call that a limit refuses changed nothing, so the operation is undone at once and holds nobody's time. */
async function sent<T>(trace: Trace, call: () => Promise<T>): Promise<T> {
  const { requestSent } = trace;
  trace.requestSent = true;
  try {
    return await call();
  } catch (error) {
    if (error instanceof CalendarLimit) trace.requestSent = requestSent;
    throw error;
  }
}

async function insertOrFind(ctx: Ctx, token: string, event: NewEvent, trace: Trace): Promise<CalendarEvent> {
  try {
    return await sent(trace, () => ctx.calendar.insertEvent(token, event));
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'duplicate') throw error;
    const found = await ctx.calendar.getEvent(token, event.id);
    if (found.status === 'cancelled' || found.meetingId !== event.meetingId)
      throw new CalendarError('invalid', 'Another calendar event already has this event id.', undefined, error);
    return found;
  }
}

/** `other` is invited, and replaces the attendee `instead`. */
export interface Wanted {
  start: number;
  end: number;
  other?: string | undefined;
  instead?: string | undefined;
}

/** Throws `meeting_not_found` if the event was deleted in the calendar. */
export const findEvent = (ctx: Ctx, requester: Account, own: OwnEvent): Promise<CalendarEvent> =>
  retryTransient(ctx, () =>
    readEvent(ctx, requester, own).catch((error: unknown) => {
      throw isGone(error) ? eventDeleted() : error;
    }),
  );

/**
 * Everyone else stays, with their responses. An event in the target state is left alone, and `found` is read again only
 * if it has changed since. Throws `meeting_not_found` if the event was deleted.
 */
export const moveEvent = (
  ctx: Ctx,
  requester: Account,
  own: OwnEvent,
  wanted: Wanted,
  trace: Trace,
  found?: CalendarEvent,
): Promise<CalendarEvent> =>
  retryTransient(ctx, () => withCalendar(ctx, requester, (token) => move(ctx, token, { own, found }, wanted, trace)));

async function move(
  ctx: Ctx,
  token: string,
  { own, found }: { own: OwnEvent; found: CalendarEvent | undefined },
  wanted: Wanted,
  trace: Trace,
): Promise<CalendarEvent> {
  for (let tries = MOVE_TRIES, known = found; ; tries--, known = undefined) {
    try {
      const event = known ?? (await readOwnEvent(ctx, token, own));
      if (event.status === 'cancelled') throw eventDeleted();
      if (isAsWanted(event, wanted)) return event;
      const { start, end } = wanted;
      const attendees = attendeesOf(event, wanted);
      return await sent(trace, () => ctx.calendar.patchEvent(token, event.id, { ...event, start, end, attendees }));
    } catch (error) {
      if (isGone(error)) throw eventDeleted();
      if (!(error instanceof CalendarError) || error.kind !== 'changed' || tries === 1) throw error;
    }
  }
}

export function isAsWanted(event: CalendarEvent, wanted: Wanted): boolean {
  return event.start === wanted.start && event.end === wanted.end && attendeesOf(event, wanted) === undefined;
}

/** Undefined if the list does not change. A list that is sent to the calendar replaces the old one. */
function attendeesOf({ attendees }: CalendarEvent, { other, instead }: Wanted): CalendarAttendee[] | undefined {
  const is = (email: string | undefined) => (attendee: CalendarAttendee) => attendee.email.toLowerCase() === email;
  const kept = instead === other ? attendees : attendees.filter((attendee) => !is(instead)(attendee));
  const isMissing = other !== undefined && !attendees.some(is(other));
  if (!isMissing && kept.length === attendees.length) return undefined;
  return isMissing ? [...kept, { email: other }] : kept;
}

/** Throws `CalendarError` `changed` if the event has changed since it was looked up. */
export const putBack = (ctx: Ctx, requester: Account, event: CalendarEvent, wanted: Wanted): Promise<unknown> =>
  withCalendar(ctx, requester, (token) => {
    const { start, end } = wanted;
    return ctx.calendar.patchEvent(token, event.id, { ...event, start, end, attendees: attendeesOf(event, wanted) });
  });

/**
 * One that may have changed is read first, because a person may have made it a series: then only the meeting's own
 * occurrence is deleted.
 */
export const deleteEvent = (
  ctx: Ctx,
  requester: Account,
  own: OwnEvent & { eventEtag?: string | null },
  trace: Trace = { requestSent: false },
): Promise<void> =>
  retryTransient(ctx, () =>
    withCalendar(ctx, requester, async (token) => {
      const seen = own.eventEtag ? { id: own.id, calendar: MAIN, etag: own.eventEtag } : undefined;
      try {
        await remove(seen ?? (await readOwnEvent(ctx, token, own)));
      } catch (error) {
        const isChanged = error instanceof CalendarError && error.kind === 'changed';
        if (!isChanged && !(isGone(error) && rootOf(own.id) !== own.id)) throw error;
        await remove({ ...(await readOwnEvent(ctx, token, own)), etag: undefined });
      }
      function remove({ id, ...event }: { id: string; calendar: string; etag?: string | undefined }) {
        return sent(trace, () => ctx.calendar.deleteEvent(token, id, event));
      }
    }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  );
