import type { Metadata } from '../../../schema/api/metadata.ts';
import type { Guard } from '../../../schema/db.ts';
import { isFinishedBy } from '../../../schema/meetings/finish-queries.ts';
import type { Ctx } from '../../context.ts';
import { lostJob } from '../../jobs/end.ts';
import { publishDelivery } from '../../webhooks/outbox.ts';
import type { BookIntent, Intent, Operation } from '../intents.ts';
import { undo, VERIFY_AFTER_MS } from '../operation.ts';
import { cancelledEvent } from '../webhook-events.ts';
import { commitCancel } from './cancel.ts';

interface Meeting {
  id: string;
  platformId: string;
  attendees: [string, string];
  metadata: Metadata;
  start: number;
}

/**
 * Ends an operation whose calendar did not say for a day what came of it (decisions, Meetings): a booking has failed, a
 * change is undone, a cancellation is done. A platform that was answered 500 for a booking is told; a job tells of its own
 * end. The verification brings the calendar in line once it can be asked.
 */
export async function endUnknown(ctx: Ctx, { lease, intent }: Operation, meeting: Meeting): Promise<void> {
  ctx.log('error', 'an outcome stayed unknown and was ended on our side', {
    meeting_id: meeting.id,
    kind: intent.kind,
  });
  if (intent.kind === 'cancel') await commitCancel(ctx, { lease, intent }, meeting, 'unknown');
  else await undoUnknown(ctx, { lease, intent }, meeting);
}

async function undoUnknown(ctx: Ctx, operation: Operation<Exclude<Intent, { kind: 'cancel' }>>, meeting: Meeting) {
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
