import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { connectedUser, type PairOfPlatform } from '../access/people.ts';
import { isActive } from '../access/platforms.ts';
import type { Rows } from '../api/paging.ts';
import { at, pick, unleased } from '../columns.ts';
import { type Db, type Guard, type Guarded, refuse } from '../db.ts';
import { type JobResult, jobs } from '../tables/batches.ts';
import { meetings, pendingOperations } from '../tables/meetings.ts';
import { PLATFORM, platforms, usage } from '../tables/platforms.ts';
import { takeInTurn } from '../tables/turns.ts';
import type { Leasing } from './lease.ts';

interface NewJob {
  id: string;
  platformId: string;
  attendees: [string, string];
  request: Record<string, unknown>;
  month: string;
  /** Largest number of meetings in the month, null if unlimited, keyed by the plan's name. */
  quotas: Record<string, number | null>;
  now: number;
}

/** Refuses the batch as `not_connected` if one of the two is not connected, and as `quota_exhausted`. */
export function insertJob(db: Db, { id, platformId, attendees, request, month, quotas, now }: NewJob) {
  const [requester, other] = [connectedUser(platformId, attendees[0]), connectedUser(platformId, attendees[1])];
  const used = sql`coalesce((select used from ${usage} where platform_id = ${platformId} and month = ${month}), 0)`;
  const quota = sql`(${JSON.stringify(quotas)}::jsonb ->> (select plan from ${platforms} where id = ${platformId}))::int`;
  return db.execute(sql`
    insert into ${jobs} (id, platform_id, status, request, next_run_at, created_at)
    values (${id},
      case when ${requester} is not null and ${other} is not null then ${platformId}::text else ${refuse('not_connected')} end,
      case when ${quota} is null or ${used} < ${quota} then 'processing' else ${refuse('quota_exhausted')} end,
      ${JSON.stringify(request)}::jsonb, ${at(now)}, ${at(now)})`);
}

const shown = { ...pick(jobs, 'id', 'status', 'request', 'result', 'createdAt', 'completedAt') };

export async function findJob(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [job] = await db
    .select(shown)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.platformId, platformId)));
  return job;
}

/** Has its unfinished booking, if it has begun one. Ignores bookings that failed. */
export async function findJobToCancel(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [job] = await db
    .select({ ...shown, bookingId: meetings.id, eventId: meetings.providerEventId, intent: pendingOperations.intent })
    .from(jobs)
    .leftJoin(meetings, eq(meetings.jobId, jobs.id))
    .leftJoin(
      pendingOperations,
      and(eq(pendingOperations.eventId, meetings.providerEventId), eq(pendingOperations.kind, 'book')),
    )
    .where(and(eq(jobs.id, id), eq(jobs.platformId, platformId)));
  return job;
}

export type JobToCancel = NonNullable<Awaited<ReturnType<typeof findJobToCancel>>>;

export type LeasedJob = Awaited<ReturnType<typeof leaseJob>>[number];

/** The queue's clock may be ahead of ours, so a message may come this early. */
export const EARLY_MS = 2_000;

/**
 * Returns no row if the job has ended, is not due or is leased, or if its platform is suspended. `wasLost` says that
 * the previous run died without releasing its lease.
 */
export const leaseJob = (db: Db, { id, owner, now, leaseUntil }: Leasing) =>
  db
    .update(jobs)
    .set({ owner, leaseUntil, askedAt: null, attempts: sql`${jobs.attempts} + 1` })
    .from(platforms)
    .where(
      and(
        eq(jobs.id, id),
        eq(platforms.id, jobs.platformId),
        isNull(platforms.suspendedAt),
        eq(jobs.status, 'processing'),
        unleased(jobs.leaseUntil, now),
        sql`${jobs.nextRunAt} <= ${at(now + EARLY_MS)}`,
      ),
    )
    .returning({
      ...pick(jobs, 'id', 'request', 'attempts'),
      wasLost: sql<boolean>`exists (select 1 from jobs before where before.id = ${jobs.id} and before.lease_until is not null)`,
      createdAt: jobs.createdAt,
      platform: PLATFORM,
    });

export const attendeesOfJob = (id: string): PairOfPlatform => {
  const of = (value: SQL) => sql`(select ${value} from jobs j where j.id = ${id})`;
  return {
    platformId: of(sql`j.platform_id`),
    emails: [of(sql`j.request -> 'attendees' ->> 0`), of(sql`j.request -> 'attendees' ->> 1`)],
  };
};

/** The lock keeps runs from beginning or giving up the job until the batch ends. */
export const lockJob = (db: Db, { id }: { id: string }) =>
  db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)).for('no key update');

export const isRunBy = ({ id, run }: { id: string; run: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.owner = ${run} and j.status = 'processing')`;

/** The job has created or is creating it. Ignores bookings that failed. */
export async function findMeetingOfJob(db: Db, { id }: { id: string }) {
  const [meeting] = await db.select({ id: meetings.id }).from(meetings).where(eq(meetings.jobId, id));
  return meeting;
}

type Ending = { id: string; result: JobResult; now: number };

/** Clears the owner of a failed job, so that a run that returns late does not count as the one that failed it. */
export const endJob = (db: Db, { id, result, now, guard }: Ending & Guarded) =>
  db
    .update(jobs)
    .set({
      ...(result.success ? { status: 'completed' } : { status: 'failed', owner: null }),
      ...{ result, completedAt: now, leaseUntil: null, nextRunAt: null },
    })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), guard));

/**
 * Fails a job that has no meeting. Does nothing if another run than `owner` has taken over, unless the platform asks
 * (`byPlatform`). Then `lockJob` must come first, because a run that begins a booking locks the job first too.
 */
export const failJob = (
  db: Db,
  { id, owner, byPlatform = false, result, now }: Ending & { owner: string; byPlatform?: boolean },
) =>
  db
    .update(jobs)
    .set({ status: 'failed', result, completedAt: now, owner, leaseUntil: null, nextRunAt: null })
    .where(
      and(
        eq(jobs.id, id),
        byPlatform ? undefined : eq(jobs.owner, owner),
        eq(jobs.status, 'processing'),
        sql`not exists (select 1 from ${meetings} m where m.job_id = ${id})`,
      ),
    )
    .returning({ id: jobs.id });

/** The owner is a run, or the request that cancels the job. */
export const isFailedBy = ({ id, owner }: { id: string; owner: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.status = 'failed' and j.owner = ${owner})`;

/** The outcome of its meeting's booking is now known. */
export const wakeJob = (db: Db, { id, now, guard }: { id: string; now: number; guard: Guard }) =>
  db
    .update(jobs)
    .set({ nextRunAt: now, askedAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), isNull(jobs.leaseUntil), guard));

export const postponeJob = (db: Db, { id, owner, nextRunAt }: { id: string; owner: string; nextRunAt: number }) =>
  db
    .update(jobs)
    .set({ leaseUntil: null, nextRunAt })
    .where(and(eq(jobs.id, id), eq(jobs.owner, owner), eq(jobs.status, 'processing')))
    .returning({ id: jobs.id });

export interface Due {
  now: number;
  /** Lies a little in the past, because the message of work that became due only now may still arrive. */
  dueBefore: number;
  askedBefore: number;
  limit: number;
  each: number;
}

/** No run has leased it. Records `asked_at`, because the caller puts it on the queue next. */
export const takeDueWork = (db: Db, table: PgTable, indexed: SQL, { now, dueBefore, ...asking }: Due) =>
  takeInTurn(db, {
    table,
    indexed,
    isDue: sql`w.next_run_at <= ${at(dueBefore)} and (w.lease_until is null or w.lease_until <= ${at(now)}) and ${isActive(sql`w.platform_id`)}`,
    since: sql`w.next_run_at`,
    now,
    ...asking,
  });

export const takeDueJobs = (db: Db, due: Due) => takeDueWork(db, jobs, sql`w.status = 'processing'`, due);

const record = { ...pick(jobs, 'id', 'status', 'request', 'result', 'attempts', 'createdAt', 'completedAt') };

export interface JobFilter {
  platformId: string;
  /** Ends to list: a job that its platform cancelled did not fail. Without this, all ended jobs are listed. */
  status?: 'completed' | 'failed' | 'cancelled' | undefined;
}

/** Statuses of a job's row, by the end to list. A cancelled job has the status `failed`, and a code that says so. */
const STATUSES = {
  any: ['completed', 'failed'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['failed'],
} satisfies Record<string, ('completed' | 'failed')[]>;

const isCancelled = sql`(${jobs.result} ->> 'error_code' is not distinct from 'CANCELLED')`;

export const listEndedJobs = (db: Db, { platformId, status, limit, after }: JobFilter & Rows) =>
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
