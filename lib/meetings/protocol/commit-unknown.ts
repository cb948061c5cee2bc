import type { Guard, Statement } from '../../../schema/db.ts';
import { isFinishedBy } from '../../../schema/meetings/finish.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import { lostInBatch } from './commit-batch.ts';
import { commitCancel } from './commit-cancel.ts';
import { lostJob } from './commit-job.ts';
import type { BookIntent, Intent, MeetingOperation } from './intents.ts';
import type { Meeting } from './meeting.ts';
import { undo, VERIFY_AFTER_MS } from './operation.ts';
import { cancelledEvent } from './webhook-events.ts';

/**
 * Decided in schema/DECISIONS.md, "Unknown outcomes": nobody learned within a day if it reached the calendar. A booking
 * fails, a change is undone, and a cancellation takes effect. The platform had got a 500 for the booking, so an event
 * tells it: a job's own, or for a batch the meeting's result. Once the calendar can be read again, a check corrects a
 * wrong end.
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
