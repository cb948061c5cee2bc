import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { CalendarError, type CalendarEvent } from '../ports.ts';
import { isGone } from './settle-booking.ts';

/**
 * The event as it stands: `gone` when it was deleted, `closed` when the calendar no longer lets us look. Throws when it
 * cannot be told now.
 */
export async function lookUp(
  ctx: Ctx,
  requester: ConnectedPerson,
  eventId: string,
): Promise<CalendarEvent | 'gone' | 'closed'> {
  try {
    const event = await withCalendar(ctx, requester, (token) => ctx.calendar.getEvent(token, eventId));
    return event.status === 'cancelled' ? 'gone' : event;
  } catch (error) {
    if (error instanceof CalendarError && ['not_found', 'gone'].includes(error.kind)) return 'gone';
    if (isGone(error)) return 'closed';
    throw error;
  }
}
