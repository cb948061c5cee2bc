import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { isFailed, isFinishedBy, type Overdue, releaseMeeting } from '../../schema/meetings/claim-queries.ts';
import { deleteSettlement, insertSettlement } from '../../schema/settlements/queries.ts';
import { persist } from '../calendars/persist.ts';
import { withCalendar } from '../calendars/with-calendar.ts';
import type { Ctx } from '../context.ts';
import { CalendarError } from '../ports.ts';

/** A call that its sender gave up can reach the calendar this much later. */
export const RECHECK_AFTER_MS = 5 * 60_000;

/** A booking whose event must not stand: the calendar is looked at again, and an event found is deleted. */
export async function scheduleRecheck(ctx: Ctx, meetingId: string, dueAt: number): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    insertSettlement(ctx.db, { meetingId, kind: 'recheck', dueAt, now, onlyIf: isFailed(meetingId) }),
  ]);
}

/** Deletes what a late call left on the calendar of a booking that was given up. */
export async function settleRecheck(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const [requester] = await listMeetingPeople(ctx.db, { meetingId: meeting.id });
  if (requester !== undefined && meeting.status === 'failed') {
    await persist(ctx, () =>
      withCalendar(ctx, requester, (token) => ctx.calendar.deleteEvent(token, meeting.providerEventId)),
    ).catch((error: unknown) => {
      if (!(error instanceof CalendarError) || !['not_found', 'gone'].includes(error.kind)) throw error;
    });
  }
  const hold = { id: meeting.id, owner };
  await ctx.db.batch([
    releaseMeeting(ctx.db, hold),
    deleteSettlement(ctx.db, { meetingId: meeting.id, kind: 'recheck', onlyIf: isFinishedBy(hold) }),
  ]);
}
