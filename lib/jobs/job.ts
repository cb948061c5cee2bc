import * as z from 'zod';
import { findJob, listDueJobs } from '../../schema/jobs/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { CONTEXTS, type MeetingContext } from '../scheduling/contexts.ts';

/** What a job is to schedule; kept as it was asked for. */
export const JobRequest = z.object({
  attendees: z.tuple([z.string(), z.string()]),
  durationMinutes: z.number(),
  title: z.string().optional(),
  description: z.string().optional(),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** Where the queue hands a job back to the Worker. */
const RUN_JOB_PATH = '/internal/run-job';

const SWEPT_AT_ONCE = 200;

/** A platform's job with its result once it has ended; throws `job_not_found` for any other id. */
export async function readJob(ctx: Ctx, platform: Platform, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw new AppError('job_not_found', 'There is no such job.');
  return job;
}

/** Asks for a job's next run; never throws, since the sweep finds what was not asked for. */
export async function publishJob(ctx: Pick<Ctx, 'queue' | 'log'>, jobId: string, delaySeconds = 0): Promise<void> {
  try {
    await ctx.queue.publish({ path: RUN_JOB_PATH, body: { job_id: jobId }, delaySeconds });
  } catch (error) {
    ctx.log('warn', 'job left to the sweep', { job_id: jobId, error });
  }
}

/** Asks again for jobs that are due and in nobody's hands. */
export async function sweepJobs(ctx: Ctx): Promise<void> {
  const ids = await listDueJobs(ctx.db, { now: ctx.clock.now(), limit: SWEPT_AT_ONCE });
  if (ids.length === 0) return;
  await ctx.queue.publish(...ids.map((id) => ({ path: RUN_JOB_PATH, body: { job_id: id } })));
}
