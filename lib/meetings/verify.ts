import { ending, finish, isFinishedBy } from '../../schema/meetings/finish-queries.ts';
import type { Lease, Overdue } from '../../schema/meetings/lease-queries.ts';
import { isLive } from '../../schema/meetings/status.ts';
import { deleteAfterwards } from '../../schema/pending-operations/queries.ts';
import type { Ctx } from '../context.ts';
import { deleteEvent, isAsWanted, lookUpEvent, putBack, shownTime } from './calendar-event.ts';
import { commitCancel } from './commits/cancel.ts';
import { commitFollowed } from './commits/followed.ts';
import { type Intent, UndoneIntents } from './intents.ts';
import { CalendarClosed, peopleOf } from './operation.ts';

/** An event that a cancellation had to leave is deleted for somebody who connects again within this. */
const KEPT_FOR_MS = 7 * 86_400_000;

/**
 * The delayed verification: takes back what a late call did to a booking that was given up or a change that was undone,
 * deletes what a cancellation had to leave on a calendar that was closed to the platform then, and follows a person who
 * moved or deleted the event meanwhile. Throws `CalendarClosed` while its person is waited for, and what the calendar does.
 */
export async function verify(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<void> {
  const { id: meetingId } = meeting;
  const undone = Object.values(UndoneIntents.parse(meeting.intent));
  const isKept = meeting.status === 'cancelled' && undone.length === 0;
  if (isKept && meeting.pendingSince <= ctx.clock.now() - KEPT_FOR_MS)
    ctx.log('warn', 'an event was left on a calendar that stayed closed', { meeting_id: meetingId });
  else if (isLive(meeting.status)) {
    if (await isFollowed(ctx, lease, meeting, undone)) return;
  } else if (meeting.status === 'failed' || meeting.status === 'cancelled') {
    const [requester] = await peopleOf(ctx, meetingId);
    await deleteEvent(ctx, requester, meeting.providerEventId);
  }
  await finish(ctx.db, lease, ending.unchanged(), [
    deleteAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: meeting.dueAt, guard: isFinishedBy(lease) }),
  ]);
}

/** Takes back what a late call of ours did; true when the meeting itself became what the calendar shows. */
async function isFollowed(ctx: Ctx, lease: Lease, meeting: Overdue, undone: Intent[]): Promise<boolean> {
  const people = await peopleOf(ctx, meeting.id);
  const [requester, other] = people;
  const attendees: [string, string] = [requester.email, other.email];
  const event = await lookUpEvent(ctx, requester, meeting.providerEventId);
  if (event === 'closed') throw new CalendarClosed();
  if (event === 'gone') {
    const ours = undone.find(({ kind }) => kind === 'cancel');
    const calledOff = ours ? undefined : ({ by: 'calendar', reason: 'cancelled_in_calendar' } as const);
    const told = { ...meeting, attendees, ...(calledOff && { calledOff }) };
    await commitCancel(ctx, { lease, intent: { kind: 'cancel' } }, told, 'deleted');
    return true;
  }
  const late = undone.find(
    (intent) =>
      intent.kind !== 'cancel' && intent.kind !== 'book' && isAsWanted(event, { ...intent, instead: undefined }),
  );
  if (late !== undefined) {
    const instead = late.kind === 'update' ? late.other : undefined;
    const due = { start: meeting.start, end: meeting.end, other: other.email, instead };
    if (!isAsWanted(event, due)) await putBack(ctx, requester, event, due);
    return false;
  }
  const shown = shownTime(event, meeting);
  if (shown.start === meeting.start && shown.end === meeting.end) return false;
  await commitFollowed(ctx, lease, { ...meeting, attendees, people }, shown);
  return true;
}
