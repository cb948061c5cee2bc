import { isLive } from '../../../schema/api/states.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import type { Lease, Overdue } from '../../../schema/meetings/lease.ts';
import { deleteAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { deleteEvent, isAsWanted, putBack } from './calendar-event.ts';
import { commitCancel } from './commit-cancel.ts';
import { commitFollowed } from './commit-followed.ts';
import { type Intent, UndoneIntents } from './intents.ts';
import type { WithPeople } from './meeting.ts';
import { CalendarClosed } from './operation.ts';
import { lookUpEvent } from './own-event.ts';

/** Until then Tandem deletes the event, if the deletion had to wait for a person to connect their calendar again. */
const KEPT_FOR_MS = 7 * DAY;

/**
 * Checks a meeting's calendar event some time after an operation on the meeting.
 * - Undoes the effect of a delayed calendar call, for a booking that was given up or a change that was undone.
 * - Deletes the event of a cancelled meeting, if Tandem had no access to the calendar at the time of the cancellation.
 * - Takes over what a person changed in the event meanwhile. If they deleted it, cancels the meeting.
 * - Throws `CalendarClosed` while the calendar's owner must connect again, and the calendar's errors.
 */
export async function verify(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>): Promise<void> {
  const { id: meetingId } = meeting;
  const undone = Object.values(UndoneIntents.parse(meeting.intent));
  const isKept = meeting.status === 'cancelled' && undone.length === 0;
  if (isKept && meeting.pendingSince <= ctx.clock.now() - KEPT_FOR_MS)
    ctx.log('warn', 'an event was left on a calendar that stayed closed', { meeting_id: meetingId });
  else if (isLive(meeting.status)) {
    if (await isFollowed(ctx, lease, meeting, undone)) return;
  } else if (meeting.status === 'failed' || meeting.status === 'cancelled') {
    await deleteEvent(ctx, meeting.people[0], { ...meeting, id: meeting.providerEventId });
  }
  await finish(ctx.db, lease, ending.unchanged(), [
    deleteAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: meeting.dueAt, guard: isFinishedBy(lease) }),
  ]);
}

/** A deleted event cancels the meeting. If a delayed call moved it after its undo, moves it back and returns false. */
async function isFollowed(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>, undone: Intent[]): Promise<boolean> {
  const [requester, other] = meeting.people;
  const event = await lookUpEvent(ctx, requester, { ...meeting, id: meeting.providerEventId });
  if (event === 'closed') throw new CalendarClosed();
  if (event === 'gone') {
    const ours = undone.find((intent) => intent.kind === 'cancel');
    const calledOff = ours ? undefined : ({ by: 'calendar', reason: 'cancelled_in_calendar' } as const);
    const cancelled = { ...meeting, ...(calledOff && { calledOff }) };
    await commitCancel(ctx, { lease, intent: ours ?? { kind: 'cancel' } }, cancelled, 'deleted');
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
  await commitFollowed(ctx, lease, meeting, event);
  return true;
}
