import * as z from 'zod';
import { findJob, forgetAskingForJobs, type LeasedJob, takeDueJobs } from '../../../schema/jobs/queries.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { jobNotFound } from '../../kit/errors.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { publishDue } from '../../kit/work-off.ts';

/** The automatic scheduling request that a job works on, as the platform sent it. */
export const JobRequest = z.object({
  attendees: z.tuple([z.string(), z.string()]),
  durationMinutes: z.number(),
  title: z.string().optional(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** A scheduling job together with the lease that one of its runs holds. */
export interface JobRun {
  owner: string;
  job: LeasedJob;
  request: JobRequest;
}

/** Path at which the queue hands a job back to the Worker. */
const RUN_JOB_PATH = '/internal/run-job';

/** Largest number of jobs published in one call to the queue. */
const AT_ONCE = 100;
/** Largest number of one platform's jobs published in one call to the queue. */
const OF_ONE_PLATFORM = 25;
/**
 * Delay before the sweep publishes a due job again. Each run is published for its due time, so the sweep only handles
 * jobs whose publishing failed or whose message was lost.
 */
const GRACE_MS = 20_000;
/** Time after which the sweep publishes an unanswered job again, because its queue message counts as lost. */
const ASK_AGAIN_MS = 5 * MINUTE;
/**
 * Largest number of concurrent job runs of one platform. Jobs that wait for slow calendars then leave capacity to other
 * platforms and to webhooks.
 */
const PARALLELISM = 3;

interface AskedJob {
  id: string;
  platformId: string;
}

/** Returns the queue message that runs a job. The queue limits concurrent runs separately for each platform. */
const messageFor = ({ id, platformId }: AskedJob): QueueMessage => ({
  path: RUN_JOB_PATH,
  body: { job_id: id },
  lane: { key: `jobs.${platformId}`, parallelism: PARALLELISM },
});

/**
 * Returns a platform's scheduling job, with its result once it has ended. Throws `job_not_found` for an unknown id and
 * for another platform's job.
 */
export async function readJob(ctx: Ctx, platform: PlatformRef, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw jobNotFound();
  return job;
}

/** Puts a job's next run on the queue. Never throws, because the sweep finds jobs that were not published. */
export async function publishJob(ctx: Pick<Ctx, 'queue' | 'log'>, job: AskedJob, delaySeconds = 0): Promise<void> {
  try {
    await ctx.queue.publish({ ...messageFor(job), delaySeconds });
  } catch (error) {
    ctx.log('warn', 'job left to the sweep', { job_id: job.id, error });
  }
}

/**
 * Puts due jobs that no run holds on the queue again until time is up. Every platform's longest waiting job comes
 * before any platform's second. Returns the number of jobs.
 */
export const sweepJobs = (ctx: Ctx, until: number): Promise<number> =>
  publishDue(ctx, {
    chore: 'jobs',
    until,
    take: (now) =>
      takeDueJobs(ctx.db, {
        now,
        dueBefore: now - GRACE_MS,
        askedBefore: now - ASK_AGAIN_MS,
        limit: AT_ONCE,
        each: OF_ONE_PLATFORM,
      }),
    messagesFor: (due) => due.map(messageFor),
    release: (due) =>
      forgetAskingForJobs(
        ctx.db,
        due.map(({ id }) => id),
      ),
  });
