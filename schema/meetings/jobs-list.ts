import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { meetings } from '../tables/meetings.ts';

const record = {
  id: jobs.id,
  status: jobs.status,
  request: jobs.request,
  result: jobs.result,
  attempts: jobs.attempts,
  createdAt: jobs.createdAt,
  completedAt: jobs.completedAt,
};

export interface JobFilter {
  platformId: string;
  /** Ends to list: a job that its platform cancelled did not fail. Without this, all ended jobs are listed. */
  status?: 'completed' | 'failed' | 'cancelled' | undefined;
  limit: number;
}

/** Statuses of a job's row, by the end to list. A cancelled job has the status `failed`, and a code that says so. */
const STATUSES = {
  any: ['completed', 'failed'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['failed'],
} satisfies Record<string, ('completed' | 'failed')[]>;

const isCancelled = sql`(${jobs.result} ->> 'error_code' is not distinct from 'CANCELLED')`;

export const listEndedJobs = (db: Db, { platformId, status, limit, after }: JobFilter & { after: Place | undefined }) =>
  db
    .select(record)
    .from(jobs)
    .where(
      and(
        eq(jobs.platformId, platformId),
        inArray(jobs.status, STATUSES[status ?? 'any']),
        status === 'cancelled' ? isCancelled : undefined,
        status === 'failed' ? sql`not ${isCancelled}` : undefined,
        sql`${jobs.completedAt} is not null`,
        after && sql`(${jobs.completedAt}, ${jobs.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(jobs.completedAt), desc(jobs.id))
    .limit(limit);

export type ListedJob = Awaited<ReturnType<typeof listEndedJobs>>[number];

export const listRunningJobs = (db: Db, { platformId, limit }: { platformId: string; limit: number }) =>
  db
    .select(record)
    .from(jobs)
    .where(and(eq(jobs.platformId, platformId), eq(jobs.status, 'processing')))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(limit);

export const selectJob = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({ ...record, meetingId: meetings.id })
    .from(jobs)
    .leftJoin(meetings, eq(meetings.jobId, jobs.id))
    .where(and(eq(jobs.platformId, platformId), eq(jobs.id, id)));
