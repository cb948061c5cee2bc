import { releaseKey } from '../../schema/idempotency/queries.ts';
import { abandonMeeting, claimOverdueBookings, listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { withCalendar } from '../calendars/with-calendar.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { confirmBooking } from './confirm.ts';

const LEASE_MS = 60_000;
const AT_ONCE = 20;

type Overdue = Awaited<ReturnType<typeof claimOverdueBookings>>[number];

/**
 * Finishes or undoes every booking whose request went silent: the calendar is asked by the event's id; an event that
 * stands is confirmed, one that does not is given up. A calendar that cannot be asked is tried again later.
 */
export async function settleBookings(ctx: Ctx): Promise<void> {
  const owner = ctx.ids.id('own_');
  const now = ctx.clock.now();
  const overdue = await claimOverdueBookings(ctx.db, { owner, now, leaseUntil: now + LEASE_MS, limit: AT_ONCE });
  await Promise.all(overdue.map((meeting) => settle(ctx, owner, meeting)));
}

async function settle(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const [requester, other] = await listMeetingPeople(ctx.db, { meetingId: meeting.id });
  if (requester === undefined || other === undefined) throw new Error(`meeting ${meeting.id} has not two people`);
  try {
    const event = await withCalendar(ctx, requester, (token) => ctx.calendar.getEvent(token, meeting.providerEventId));
    if (event.status !== 'cancelled' && event.meetingId === meeting.id) {
      await confirmBooking(ctx, owner, { ...meeting, attendees: [requester.email, other.email] }, event);
      return;
    }
  } catch (error) {
    if (!isGone(error)) {
      ctx.log('warn', 'a booking could not be settled yet', { meeting_id: meeting.id, error: String(error) });
      return;
    }
  }
  const { id } = meeting;
  await ctx.db.batch([
    releaseKey(ctx.db, { resourceId: id }),
    ...abandonMeeting(ctx.db, { id, owner, now: ctx.clock.now() }),
  ]);
}

/** No such event, or a grant that ended: nothing of ours can stand or be changed there. */
function isGone(error: unknown): boolean {
  if (error instanceof CalendarError) return ['not_found', 'gone', 'forbidden', 'invalid'].includes(error.kind);
  return error instanceof AppError && error.code === 'calendar_reconnect_required';
}
