import type { CancelledMeeting } from '../../../schema/api/meeting-changes.ts';
import { deleteHolds } from '../../../schema/holds/queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperations, insertAfterwards } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { CancelIntent, MeetingOperation } from '../intents.ts';
import { keepAnswer, toCancelledAnswer } from '../kept-answer.ts';
import type { Meeting } from '../meeting.ts';
import { VERIFY_AFTER_MS } from '../operation.ts';
import { type CalledOff, cancelledEvent } from '../webhook-events.ts';

/** A meeting to cancel. `calledOff` is the party that cancelled it, and is absent if the meeting's platform did. */
type Cancelled = Meeting & { calledOff?: CalledOff };

/**
 * Commits a cancellation: the meeting becomes `cancelled`, its time is freed, and its webhook event and API answer are
 * stored. Drops all pending work on the meeting, except a check of a calendar event that was not deleted. Returns the
 * answer's body, or undefined if another writer holds the meeting by now.
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
  // If the calendar did not say whether it deleted the event, the later check deletes the event however late it runs.
  // An event that Tandem could not delete is deleted only within seven days.
  const undone = calendarEvent === 'unknown' ? { [lease.owner]: operation.intent } : {};
  const deletion = { kind: 'verify' as const, intent: undone, dueAt: now + VERIFY_AFTER_MS };
  const answer = toCancelledAnswer(meetingId, calendarEvent);
  const event = cancelledEvent(ctx, { ...meeting, calendarEvent }, guard);
  const finished = await finish(ctx.db, lease, ending.cancelled({ now }), [
    deleteHolds(ctx.db, { meetingId, guard }),
    event.statement,
    keepAnswer(ctx, operation, answer, guard),
    deletePendingOperations(ctx.db, { meetingId, guard }),
    ...(calendarEvent === 'deleted' ? [] : [insertAfterwards(ctx.db, { ...deletion, meetingId, now, guard })]),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return answer;
}
