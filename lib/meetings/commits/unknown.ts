import type { Guard } from '../../../schema/db.ts';
import { isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Ctx } from '../../kit/context.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { BookIntent, Intent, MeetingOperation } from '../intents.ts';
import type { Meeting } from '../meeting.ts';
import { undo, VERIFY_AFTER_MS } from '../operation.ts';
import { cancelledEvent } from '../webhook-events.ts';
import { commitCancel } from './cancel.ts';
import { lostJob } from './job.ts';

/**
 * Ends an operation whose outcome in the calendar stayed unknown for a day (schema/DECISIONS.md, "Unknown outcomes"). A
 * booking fails, a change is undone, a cancellation takes effect. The platform got a 500 for the booking, so it gets a
 * webhook event about the failure. A booking by a job sends the job's own event instead. A verification later corrects
 * the calendar, once it can be read again.
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
  if (isUndone && told !== undefined) ctx.later(publishDelivery(ctx, told.deliveryId));
}

function bookingLost(ctx: Ctx, { job }: BookIntent, meeting: Meeting, guard: Guard) {
  if (job !== undefined) return lostJob(ctx, meeting, job, guard);
  const calledOff = { by: 'tandem', reason: 'outcome_unknown' } as const;
  const { statement, deliveryId } = cancelledEvent(ctx, { ...meeting, calendarEvent: 'unknown', calledOff }, guard);
  return { statements: [statement], deliveryId };
}
