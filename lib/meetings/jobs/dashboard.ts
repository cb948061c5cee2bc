import type { Place } from '../../../schema/api/paging.ts';
import { batch } from '../../../schema/db.ts';
import {
  type JobFilter,
  type ListedJob,
  listEndedJobs,
  listRunningJobs,
  selectJob,
} from '../../../schema/meetings/jobs.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { jobNotFound } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { JobRequest } from './job.ts';

interface Asked extends Pick<JobFilter, 'limit'> {
  status: JobFilter['status'] | 'processing';
  after: Place | undefined;
}

/** Those in progress come first, then the ended ones, the last to end first. */
export async function listDashboardJobs(ctx: Ctx, { id: platformId }: PlatformRef, { status, limit, after }: Asked) {
  const found = await batch(ctx.db, {
    running: listRunningJobs(ctx.db, { platformId, limit: after === undefined ? limit : 0 }),
    ended: listEndedJobs(ctx.db, {
      ...{ platformId, after, limit: status === 'processing' ? 0 : limit + 1 },
      status: status === 'processing' ? undefined : status,
    }),
  });
  const rows = found.ended.slice(0, limit);
  const last = found.ended.length > limit ? rows.at(-1) : undefined;
  const running = status === undefined || status === 'processing' ? found.running : [];
  return { jobs: [...running, ...rows].map(toShown), next: last && { at: last.completedAt ?? 0, id: last.id } };
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
