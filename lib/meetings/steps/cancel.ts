import { deleteHolds } from '../../../schema/holds/queries.ts';
import { finishKey } from '../../../schema/idempotency/queries.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import { deletePendingOperations } from '../../../schema/pending-operations/queries.ts';
import type { Ctx } from '../../context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { type CancelIntent, keyOf, type Operation } from '../operation.ts';
import { cancelledEvent, toCancelledAnswer } from '../wire.ts';

interface Cancelled {
  id: string;
  platformId: string;
  attendees: [string, string];
  start: number;
}

/**
 * The meeting is `cancelled`: its time is free, nothing is left to look after, its event and answer are kept. Answers
 * the body, or undefined when another writer has the meeting by now.
 */
export async function commitCancel(ctx: Ctx, operation: Operation<CancelIntent>, meeting: Cancelled) {
  const { lease } = operation;
  const { id: meetingId } = meeting;
  const guard = isFinishedBy(lease);
  const answer = toCancelledAnswer(meetingId);
  const event = cancelledEvent(ctx, meeting, guard);
  const finished = await finish(ctx.db, lease, ending.cancelled({ now: ctx.clock.now() }), [
    deleteHolds(ctx.db, { meetingId, guard }),
    event.statement,
    finishKey(ctx.db, { ...keyOf(operation), guard, status: 200, body: JSON.stringify(answer) }),
    deletePendingOperations(ctx.db, { meetingId, guard }),
  ]);
  if (finished === undefined) return undefined;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  return answer;
}
