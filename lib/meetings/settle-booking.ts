import { releaseKey } from '../../schema/idempotency/queries.ts';
import { abandonMeeting, listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { isFinishedBy, type Overdue } from '../../schema/meetings/claim-queries.ts';
import { insertSettlement } from '../../schema/settlements/queries.ts';
import { withCalendar } from '../calendars/calls.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import type { JobIntent } from '../jobs/job-completed.ts';
import { CalendarError } from '../ports.ts';
import { BOOK_OPERATION } from './book.ts';
import { confirmBooking } from './confirm.ts';
import { RECHECK_AFTER_MS } from './recheck.ts';

/** The calendar is asked by the event's id: an event that stands is confirmed, one that does not is given up. */
export async function settleBooking(ctx: Ctx, owner: string, meeting: Overdue): Promise<void> {
  const [requester, other] = await listMeetingPeople(ctx.db, { meetingId: meeting.id });
  if (requester === undefined || other === undefined) throw new Error(`meeting ${meeting.id} has not two people`);
  const attendees: [string, string] = [requester.email, other.email];
  const job = 'jobId' in meeting.intent ? (meeting.intent as unknown as JobIntent) : undefined;
  const event = await withCalendar(ctx, requester, (token) =>
    ctx.calendar.getEvent(token, meeting.providerEventId),
  ).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });
  if (event !== undefined && event.status !== 'cancelled' && event.meetingId === meeting.id) {
    await confirmBooking(ctx, { ...meeting, attendees, owner, job }, event);
    return;
  }
  const now = ctx.clock.now();
  const hold = { id: meeting.id, owner };
  const onlyIf = isFinishedBy(hold);
  await ctx.db.batch([
    ...abandonMeeting(ctx.db, { ...hold, now }),
    releaseKey(ctx.db, { operation: BOOK_OPERATION, resourceId: meeting.id, onlyIf }),
    insertSettlement(ctx.db, { meetingId: meeting.id, kind: 'recheck', dueAt: now + RECHECK_AFTER_MS, now, onlyIf }),
  ]);
}

/** No such event, or a grant that ended: nothing of ours can stand or be changed there. */
export function isGone(error: unknown): boolean {
  if (error instanceof CalendarError) return ['not_found', 'gone', 'forbidden', 'invalid'].includes(error.kind);
  return error instanceof AppError && ['calendar_reconnect_required', 'user_not_found'].includes(error.code);
}
