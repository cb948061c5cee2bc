import { isLive } from '../../../schema/api/states.ts';
import type { Guard, Statement } from '../../../schema/db.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import type { Lease, Overdue } from '../../../schema/meetings/lease.ts';
import { deleteAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { deleteEvent, isAsWanted, putBack } from './calendar-event.ts';
import { commitCancel } from './commit-cancel.ts';
import { commitFollowed } from './commit-followed.ts';
import { lostInBatch, lostJob } from './commit-source.ts';
import { type BookIntent, type Intent, type MeetingOperation, UndoneIntents } from './intents.ts';
import type { Meeting, WithPeople } from './meeting.ts';
import { CalendarClosed, undo, VERIFY_AFTER_MS } from './operation.ts';
import { lookUpEvent } from './own-event.ts';
import { cancelledEvent } from './webhook-events.ts';

/** Until then Tandem deletes the event, if the deletion had to wait for a person to connect their calendar again. */
const KEPT_FOR_MS = 7 * DAY;

/**
 * Some time after an operation, undoes a delayed call of a booking that was given up or a change that was undone, and
 * deletes the event of a cancelled meeting if Tandem had no access then. Takes over what a person changed in the event
 * meanwhile. Throws `CalendarClosed` while the calendar's owner must connect again, and the calendar's errors.
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

/**
 * Decided in schema/DECISIONS.md, "Unknown outcomes". The platform had got a 500 for the booking, so an event tells it:
 * a job's own, or for a batch the meeting's result. Once the calendar can be read again, a check corrects a wrong end.
 */
export async function endUnknown(ctx: Ctx, { lease, intent }: MeetingOperation, meeting: Meeting): Promise<void> {
  ctx.log('error', 'an outcome stayed unknown and was ended on our side', {
    meeting_id: meeting.id,
    kind: intent.kind,
  });
  if (intent.kind === 'cancel') await commitCancel(ctx, { lease, intent }, meeting, 'unknown');
  else await undoUnknown(ctx, { lease, intent }, meeting);
}

async function undoUnknown(
  ctx: Ctx,
  operation: MeetingOperation<Exclude<Intent, { kind: 'cancel' }>>,
  meeting: Meeting,
) {
  const { lease, intent } = operation;
  const verifyAt = ctx.clock.now() + VERIFY_AFTER_MS;
  const told = intent.kind === 'book' ? bookingLost(ctx, intent, meeting, isFinishedBy(lease)) : undefined;
  const isUndone = await undo(ctx, operation, { verifyAt, also: told?.statements });
  if (isUndone && told?.deliveryId !== undefined) ctx.later(publishDelivery(ctx, told.deliveryId));
}

function bookingLost(
  ctx: Ctx,
  { job, batch }: BookIntent,
  meeting: Meeting,
  guard: Guard,
): { statements: Statement[]; deliveryId?: string } {
  if (job !== undefined) return lostJob(ctx, meeting, job, guard);
  if (batch !== undefined) return { statements: [lostInBatch(ctx, meeting, batch, guard)] };
  const calledOff = { by: 'tandem', reason: 'outcome_unknown' } as const;
  const { statement, deliveryId } = cancelledEvent(ctx, { ...meeting, calendarEvent: 'unknown', calledOff }, guard);
  return { statements: [statement], deliveryId };
}
