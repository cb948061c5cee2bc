import * as z from 'zod';
import { type ClaimedJob, findJob, forgetAskingForJobs, takeDueJobs } from '../../schema/jobs/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import type { QueueMessage } from '../ports.ts';
import { CONTEXTS, type MeetingContext } from '../scheduling/contexts.ts';

/** What a job is to schedule; kept as it was asked for. */
export const JobRequest = z.object({
  attendees: z.tuple([z.string(), z.string()]),
  durationMinutes: z.number(),
  title: z.string().optional(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** A job in the hands of one of its runs. */
export interface JobRun {
  owner: string;
  job: ClaimedJob;
  request: JobRequest;
}

/** Where the queue hands a job back to the Worker. */
const RUN_JOB_PATH = '/internal/run-job';

/** Jobs that are asked for in one call to the queue, and of one platform. */
const AT_ONCE = 100;
const OF_ONE_PLATFORM = 25;
/** A run is asked for at its time already; the sweep looks after what was not asked for, or whose message was lost. */
const GRACE_MS = 20_000;
const ASK_AGAIN_MS = 5 * 60_000;
/** Runs of one platform at a time: jobs on calendars that hang leave the queue to others, and to webhooks. */
const PARALLELISM = 3;

interface AskedJob {
  id: string;
  platformId: string;
}

/** Every platform has a lane of its own. */
const messageFor = ({ id, platformId }: AskedJob): QueueMessage => ({
  path: RUN_JOB_PATH,
  body: { job_id: id },
  lane: { key: `jobs.${platformId}`, parallelism: PARALLELISM },
});

/** A platform's job with its result once it has ended; throws `job_not_found` for any other id. */
export async function readJob(ctx: Ctx, platform: Platform, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw new AppError('job_not_found', 'There is no such job.');
  return job;
}

/** Asks for a job's next run; never throws, since the sweep finds what was not asked for. */
export async function publishJob(ctx: Pick<Ctx, 'queue' | 'log'>, job: AskedJob, delaySeconds = 0): Promise<void> {
  try {
    await ctx.queue.publish({ ...messageFor(job), delaySeconds });
  } catch (error) {
    ctx.log('warn', 'job left to the sweep', { job_id: job.id, error });
  }
}

/** Asks again, once, for jobs that are due and in nobody's hands, the platforms in turn, until time is up. */
export async function sweepJobs(ctx: Ctx, until: number): Promise<void> {
  for (let now = ctx.clock.now(); now < until; now = ctx.clock.now()) {
    const due = await takeDueJobs(ctx.db, {
      now,
      dueBefore: now - GRACE_MS,
      askedBefore: now - ASK_AGAIN_MS,
      limit: AT_ONCE,
      each: OF_ONE_PLATFORM,
    });
    if (due.length === 0) return;
    try {
      await ctx.queue.publish(...due.map(messageFor));
    } catch (error) {
      ctx.log('warn', 'jobs left to the next sweep', { jobs: due.length, error });
      await forgetAskingForJobs(
        ctx.db,
        due.map(({ id }) => id),
      );
      return;
    }
  }
}
