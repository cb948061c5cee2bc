import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { retryTransient, withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { CalendarError, type CalendarEvent, type NewEvent } from '../ports.ts';

const LINK_WAIT_MS = 3_000;
const LINK_POLL_MS = 500;

/** Puts the event on the requester's calendar and waits up to 3 s for its link; an event that is already there is taken. */
export async function putOnCalendar(ctx: Ctx, requester: ConnectedPerson, event: NewEvent): Promise<CalendarEvent> {
  let stored = await retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => insertOrFind(ctx, token, event)),
  );
  const giveUpAt = ctx.clock.now() + LINK_WAIT_MS;
  while (stored.linkPending && stored.meetLink === null && ctx.clock.now() + LINK_POLL_MS < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, LINK_POLL_MS));
    stored = await withCalendar(ctx, requester, (token) => ctx.calendar.getEvent(token, event.id)).catch(
      // The meeting stands; only its link is not known yet.
      () => stored,
    );
  }
  return stored;
}

async function insertOrFind(ctx: Ctx, token: string, event: NewEvent): Promise<CalendarEvent> {
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
