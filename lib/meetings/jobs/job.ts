import * as z from 'zod';
import type { Place } from '../../../schema/api/paging.ts';
import { batch } from '../../../schema/db.ts';
import {
  findJob,
  type JobFilter,
  type LeasedJob,
  type ListedJob,
  listEndedJobs,
  listRunningJobs,
  selectJob,
  takeDueJobs,
} from '../../../schema/meetings/jobs.ts';
import { jobs } from '../../../schema/tables/batches.ts';
import { CONTEXTS, type MeetingContext } from '../../engine/rank/contexts.ts';
import type { AskedInWords } from '../../engine/wish/narrowing.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { jobNotFound } from '../../kit/errors.ts';
import { ID_PREFIX, isMeetingId } from '../../kit/ids.ts';
import type { Ids, QueueMessage } from '../../kit/ports.ts';
import { pageOf } from '../../kit/read-page.ts';
import { type Queued, queueOf } from '../protocol/queued.ts';

export const JobRequest = z.object({
  attendees: z.tuple([z.string(), z.string()]),
  durationMinutes: z.number(),
  title: z.string().optional(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  context: z.custom<MeetingContext>((context) => typeof context === 'string' && context in CONTEXTS).optional(),
  /** Times that the request asks for, as they were understood. The text itself is not stored. */
  asked: z
    .object({
      words: z.custom<AskedInWords>((words) => typeof words === 'object').optional(),
      ranges: z.array(z.object({ start: z.number(), end: z.number() })).optional(),
    })
    .optional(),
});
export type JobRequest = z.infer<typeof JobRequest>;

/** The run has leased the job, so that no other run works on it. */
export interface JobRun {
  owner: string;
  job: LeasedJob;
  request: JobRequest;
}

const RUN_JOB_PATH = '/internal/run-job';

const AT_ONCE = 100;
const OF_ONE_PLATFORM = 25;
/** A lane runs one job at a time, so that jobs on slow calendars leave capacity to others and to webhooks. */
const LANES = 3;

/**
 * Code can tell the lane by the id, without a query. Jobs of one requester share a lane, because together they would
 * pick the same best time, and all but one would search again.
 */
export function newJobId(ids: Ids, requester: string): string {
  const sum = [...requester].reduce((total, character) => total + character.charCodeAt(0), 0);
  return ids.id(`${ID_PREFIX.job}${sum % LANES}`);
}

const laneOf = ({ id, platformId }: Queued) => ({
  key: `jobs.${platformId}.${id.charAt(ID_PREFIX.job.length)}`,
  parallelism: 1,
});

const messageFor = (job: Queued): QueueMessage => ({ path: RUN_JOB_PATH, body: { job_id: job.id }, lane: laneOf(job) });

/** Throws `job_not_found` for an unknown id and for another platform's job. */
export async function readJob(ctx: Ctx, platform: PlatformRef, id: string) {
  const job = await findJob(ctx.db, { platformId: platform.id, id });
  if (job === undefined) throw jobNotFound();
  return job;
}

export const { publish: publishJob, sweep: sweepJobs } = queueOf({
  chore: 'jobs',
  atOnce: { limit: AT_ONCE, each: OF_ONE_PLATFORM },
  take: takeDueJobs,
  messageFor,
  table: jobs,
  leave: (ctx, id, error) => ctx.log('warn', 'job left to the sweep', { job_id: id, error }),
});

interface Asked extends Pick<JobFilter, 'limit'> {
  status: JobFilter['status'] | 'processing';
  after: Place | undefined;
}

/** Lists jobs in progress first, then ended ones, the last to end first. */
export async function listDashboardJobs(ctx: Ctx, { id: platformId }: PlatformRef, { status, limit, after }: Asked) {
  const found = await batch(ctx.db, {
    running: listRunningJobs(ctx.db, { platformId, limit: after === undefined ? limit : 0 }),
    ended: listEndedJobs(ctx.db, {
      ...{ platformId, after, limit: status === 'processing' ? 0 : limit + 1 },
      status: status === 'processing' ? undefined : status,
    }),
  });
  const { rows, next } = pageOf(found.ended, limit, ({ completedAt, id }) => ({ at: completedAt ?? 0, id }));
  const running = status === undefined || status === 'processing' ? found.running : [];
  return { jobs: [...running, ...rows].map(toShown), next };
}

/** Throws `job_not_found`. */
export async function readDashboardJob(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw jobNotFound();
  const [row] = await selectJob(ctx.db, { platformId, id });
  if (row === undefined) throw jobNotFound();
  return { ...toShown(row), meetingId: row.meetingId };
}

function toShown({ request, result, ...job }: ListedJob) {
  const failure = result?.success === false ? result : undefined;
  const isCancelled = failure?.error_code === 'CANCELLED';
  return {
    ...job,
    status: isCancelled ? ('cancelled' as const) : job.status,
    request: JobRequest.parse(request),
    failure,
  };
}

export type ShownJob = ReturnType<typeof toShown>;
