import { failJob, isFailedBy } from '../../../schema/meetings/jobs.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent, publishDelivery } from '../../webhooks/outbox.ts';
import type { JobFailure } from '../protocol/failure.ts';
import type { JobRun } from './job.ts';

/** Returns false if a booking of the job is in progress after all, or if another run has taken over the job. */
export async function endAsFailed(ctx: Ctx, { owner, job, request }: JobRun, failure: JobFailure): Promise<boolean> {
  const { id, createdAt: acceptedAt, platform } = job;
  const { attendees, metadata } = request;
  const { code, message, suggestions } = failure;
  const now = ctx.clock.now();
  const ended = { jobId: id, attendees, metadata, acceptedAt, endedAt: now, code, message, suggestions };
  const { statement, deliveryId, data } = insertEvent(ctx, {
    platformId: platform.id,
    type: 'meeting.scheduling.failed',
    event: ended,
    guard: isFailedBy({ id, owner }),
  });
  const [failed] = await ctx.db.batch([failJob(ctx.db, { id, owner, result: data, now }), statement]);
  if (failed.length === 0) return false;
  ctx.later(publishDelivery(ctx, deliveryId));
  return true;
}
