import type { CancelledMeeting } from '../../../schema/api/meetings.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import { deleteHolds } from '../../../schema/meetings/holds.ts';
import { deletePendingOperations, insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-move.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { CancelIntent, MeetingOperation } from './intents.ts';
import { keepAnswer, toCancelledAnswer } from './kept-answer.ts';
import type { Meeting } from './meeting.ts';
import { VERIFY_AFTER_MS } from './operation.ts';
import { BY_ATTENDEE, type CalledOff, cancelledEvent } from './webhook-events.ts';

/** `calledOff` is absent if the stored goal of the cancellation says who cancelled. */
type Cancelled = Meeting & { calledOff?: CalledOff };

/**
 * Drops all pending work, except a check of a calendar event that could not be deleted. Returns undefined if another
 * process has taken over the meeting.
 */
export async function commitCancel(
  ctx: Ctx,
  operation: MeetingOperation<CancelIntent>,
  meeting: Cancelled,
  calendarEvent: CancelledMeeting['calendar_event'],
) {
  const { lease } = operation;
  const { id: meetingId } = meeting;
  const guard = isFinishedBy(lease);
  const now = ctx.clock.now();
  // An intent with an unknown end is kept, so that the check deletes the event however late it runs. An event that
  // certainly was not deleted is deleted only within seven days.
  const undone = calendarEvent === 'unknown' ? { [lease.owner]: operation.intent } : {};
  const deletion = { kind: 'verify' as const, intent: undone, dueAt: now + VERIFY_AFTER_MS };
  const answer = toCancelledAnswer(meetingId, calendarEvent);
  const calledOff = meeting.calledOff ?? (operation.intent.by === 'attendee' ? BY_ATTENDEE : undefined);
  const event = cancelledEvent(ctx, { ...meeting, calendarEvent, calledOff }, guard);
  const finished = await finish(ctx.db, lease, ending.cancelled({ now }), [
    deleteHolds(ctx.db, { meetingId, guard }),
    expireMove(ctx.db, { meetingId, now, guard }),
    event.statement,
    keepAnswer(ctx, operation, answer, guard),
    deletePendingOperations(ctx.db, { meetingId, guard }),
    ...(calendarEvent === 'deleted' ? [] : [insertAfterwards(ctx.db, { ...deletion, meetingId, now, guard })]),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return answer;
}
