import { listDueJobs } from '../../schema/jobs/queries.ts';
import type { Ctx } from '../context.ts';

/** Where the queue hands a job back to the Worker. */
export const RUN_JOB_PATH = '/internal/run-job';

const SWEPT_AT_ONCE = 200;

/** Asks for a job's next run; never throws, since the sweep finds what was not asked for. */
export async function kickJob(ctx: Pick<Ctx, 'queue' | 'log'>, jobId: string, delaySeconds = 0): Promise<void> {
  try {
    await ctx.queue.publish({ path: RUN_JOB_PATH, body: { job_id: jobId }, delaySeconds });
  } catch (error) {
    ctx.log('warn', 'job left to the sweep', { job_id: jobId, error: String(error) });
  }
}

/** Asks again for jobs that are due and in nobody's hands. */
export async function sweepJobs(ctx: Ctx): Promise<void> {
  const ids = await listDueJobs(ctx.db, { now: ctx.clock.now(), limit: SWEPT_AT_ONCE });
  if (ids.length === 0) return;
  await ctx.queue.publish(...ids.map((id) => ({ path: RUN_JOB_PATH, body: { job_id: id } })));
}
