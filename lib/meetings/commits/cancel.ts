import type { CancelledMeeting } from '../../../schema/api/meetings.ts';
import type { Metadata } from '../../../schema/api/metadata.ts';
import { deleteHolds } from '../../../schema/holds/queries.ts';
import { finishKey } from '../../../schema/idempotency/queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperations, insertAfterwards } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { toCancelledAnswer } from '../answers.ts';
import { type CancelIntent, keyOf, type Operation } from '../intents.ts';
import { VERIFY_AFTER_MS } from '../operation.ts';
import { type CalledOff, cancelledEvent } from '../webhook-events.ts';

interface Cancelled {
  /** By its platform, unless it was somebody else. */
  calledOff?: CalledOff;
  id: string;
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
  start: number;
}

/**
 * The meeting is `cancelled`: its time is free, its event and answer are written, nothing is left to look after but a
 * calendar's event that had to be kept. Answers the body, or undefined when another writer has the meeting by now.
 */
export async function commitCancel(
  ctx: Ctx,
  operation: Operation<CancelIntent>,
  meeting: Cancelled,
  calendarEvent: CancelledMeeting['calendar_event'],
) {
  const { lease } = operation;
  const { id: meetingId } = meeting;
  const guard = isFinishedBy(lease);
  const now = ctx.clock.now();
  // What is unknown is brought in line however late; an event that was kept only within seven days.
  const undone = calendarEvent === 'unknown' ? { [lease.owner]: operation.intent } : {};
  const deletion = { kind: 'verify' as const, intent: undone, dueAt: now + VERIFY_AFTER_MS };
  const answer = toCancelledAnswer(meetingId, calendarEvent);
  const event = cancelledEvent(ctx, { ...meeting, calendarEvent }, guard);
  const finished = await finish(ctx.db, lease, ending.cancelled({ now }), [
    deleteHolds(ctx.db, { meetingId, guard }),
    event.statement,
    finishKey(ctx.db, { ...keyOf(operation), guard, status: 200, body: JSON.stringify(answer) }),
    deletePendingOperations(ctx.db, { meetingId, guard }),
    ...(calendarEvent === 'deleted' ? [] : [insertAfterwards(ctx.db, { ...deletion, meetingId, now, guard })]),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return answer;
}
