import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { at, unleased } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { meetings } from '../meetings/table.ts';
import { pendingOperations } from '../pending-operations/table.ts';
import { connectedUser } from '../people/queries.ts';
import { isActive } from '../platforms/queries.ts';
import { PLATFORM, platforms } from '../platforms/table.ts';
import { refuse } from '../refusals.ts';
import { takeInTurn } from '../turns.ts';
import { usage } from '../usage/table.ts';
import { type JobResult, jobs } from './table.ts';

interface NewJob {
  id: string;
  platformId: string;
  attendees: [string, string];
  request: Record<string, unknown>;
  month: string;
  quota: number | null;
  now: number;
}

/**
 * Builds a statement that inserts a scheduling job. It refuses the batch as `not_connected` if one of the two people is
 * not connected, and as `quota_exhausted` if the month's quota is used up.
 */
export function insertJob(db: Db, { id, platformId, attendees, request, month, quota, now }: NewJob) {
  const [requester, other] = [connectedUser(platformId, attendees[0]), connectedUser(platformId, attendees[1])];
  const used = sql`coalesce((select used from ${usage} where platform_id = ${platformId} and month = ${month}), 0)`;
  return db.execute(sql`
    insert into ${jobs} (id, platform_id, status, request, next_run_at, created_at)
    values (${id},
      case when ${requester} is not null and ${other} is not null then ${platformId}::text else ${refuse('not_connected')} end,
      case when ${quota}::int is null or ${used} < ${quota}::int then 'processing' else ${refuse('quota_exhausted')} end,
      ${JSON.stringify(request)}::jsonb, ${at(now)}, ${at(now)})`);
}

const shown = {
  id: jobs.id,
  status: jobs.status,
  request: jobs.request,
  result: jobs.result,
  createdAt: jobs.createdAt,
  completedAt: jobs.completedAt,
};

/** Finds a platform's job. Returns undefined for a job of another platform. */
export async function findJob(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [job] = await db
    .select(shown)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.platformId, platformId)));
  return job;
}

/** Finds a platform's job with its unfinished booking, if it has begun one. Ignores bookings that failed. */
export async function findJobToCancel(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [job] = await db
    .select({
      ...shown,
      bookingId: meetings.id,
      eventId: meetings.providerEventId,
      intent: pendingOperations.intent,
    })
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

export type LeasedJob = NonNullable<Awaited<ReturnType<typeof leaseJob>>>;

/** Largest number of milliseconds by which the queue's clock may be ahead of ours. */
const EARLY_MS = 2_000;

/**
 * Leases a due job for one run. Returns undefined if the job has ended, is not due or is leased, or if its platform is
 * suspended. `wasLost` is true if
 * the previous run never released its lease.
 */
export async function leaseJob(
  db: Db,
  { id, owner, now, leaseUntil }: { id: string; owner: string; now: number; leaseUntil: number },
) {
  const [job] = await db
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
      id: jobs.id,
      request: jobs.request,
      attempts: jobs.attempts,
      wasLost: sql<boolean>`exists (select 1 from jobs before where before.id = ${jobs.id} and before.lease_until is not null)`,
      createdAt: jobs.createdAt,
      platform: PLATFORM,
    });
  return job;
}

/**
 * Builds a statement that locks the job's row, so that the job's lease does not change before the following statements.
 */
export const lockJob = (db: Db, { id }: { id: string }) =>
  db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)).for('no key update');

/** Returns an SQL condition that is true if the run with this id has leased the job. */
export const isRunBy = ({ id, run }: { id: string; run: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.owner = ${run} and j.status = 'processing')`;

/** Finds the meeting that a job has created or is creating. Ignores bookings that failed. */
export async function findMeetingOfJob(db: Db, { id }: { id: string }) {
  const [meeting] = await db.select({ id: meetings.id }).from(meetings).where(eq(meetings.jobId, id));
  return meeting;
}

interface Ending {
  id: string;
  result: JobResult;
  now: number;
}

/**
 * Builds a statement that marks a job as completed together with its meeting. `result` is the data of the webhook event
 * that reports it.
 */
export const completeJob = (db: Db, { id, result, now, guard }: Ending & { guard: Guard }) =>
  db
    .update(jobs)
    .set({ status: 'completed', result, completedAt: now, leaseUntil: null, nextRunAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), guard));

/**
 * Builds a statement that marks a job as failed because its meeting's booking failed. It clears the job's owner, so
 * that a run that returns late does not count as the run that failed the job.
 */
export const failJobOfMeeting = (db: Db, { id, result, now, guard }: Ending & { guard: Guard }) =>
  db
    .update(jobs)
    .set({ status: 'failed', result, completedAt: now, owner: null, leaseUntil: null, nextRunAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), guard));

/**
 * Builds a statement that marks a job without a meeting as failed. It does nothing if the run has lost its lease or a
 * meeting of the job exists.
 */
export const failJob = (db: Db, { id, owner, result, now }: Ending & { owner: string }) =>
  db
    .update(jobs)
    .set({ status: 'failed', result, completedAt: now, leaseUntil: null, nextRunAt: null })
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.owner, owner),
        eq(jobs.status, 'processing'),
        sql`not exists (select 1 from ${meetings} m where m.job_id = ${id})`,
      ),
    )
    .returning({ id: jobs.id });

/**
 * Builds a statement that marks a job without a meeting as failed, whoever runs it, because its platform cancels it. It
 * must follow `lockJob`: a run that begins a booking locks the job first.
 */
export const failIdleJob = (db: Db, { id, owner, result, now }: Ending & { owner: string }) =>
  db
    .update(jobs)
    .set({ status: 'failed', result, completedAt: now, owner, leaseUntil: null, nextRunAt: null })
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.status, 'processing'),
        sql`not exists (select 1 from ${meetings} m where m.job_id = ${id})`,
      ),
    )
    .returning({ id: jobs.id });

/** Returns an SQL condition that is true if `failJob` marked the job as failed for this run. */
export const isFailedBy = ({ id, owner }: { id: string; owner: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.status = 'failed' and j.owner = ${owner})`;

/** Builds a statement that makes a job due at once, because the outcome of its meeting's booking is now known. */
export const wakeJob = (db: Db, { id, now, guard }: { id: string; now: number; guard: Guard }) =>
  db
    .update(jobs)
    .set({ nextRunAt: now, askedAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), isNull(jobs.leaseUntil), guard));

/** Builds a statement that releases a job's lease and schedules its next run. */
export const postponeJob = (db: Db, { id, owner, nextRunAt }: { id: string; owner: string; nextRunAt: number }) =>
  db
    .update(jobs)
    .set({ leaseUntil: null, nextRunAt })
    .where(and(eq(jobs.id, id), eq(jobs.owner, owner), eq(jobs.status, 'processing')))
    .returning({ id: jobs.id });

interface Due {
  now: number;
  /** Latest due time of the jobs to take. A job that became due only now may still get its queue message. */
  dueBefore: number;
  askedBefore: number;
  limit: number;
  /** Largest number of due scheduling jobs to take for one platform. */
  each: number;
}

/**
 * Takes due scheduling jobs that no run has leased and sets their `asked_at`, because the caller puts them on the queue
 * next.
 */
export const takeDueJobs = (db: Db, { now, dueBefore, ...asking }: Due) =>
  takeInTurn(db, {
    table: sql`${jobs}`,
    indexed: sql`w.status = 'processing'`,
    isDue: sql`w.next_run_at <= ${at(dueBefore)} and (w.lease_until is null or w.lease_until <= ${at(now)}) and ${isActive(sql`w.platform_id`)}`,
    since: sql`w.next_run_at`,
    now,
    ...asking,
  });

/**
 * Clears `asked_at` of jobs that could not be put on the queue, so that the next background sweep takes them at once.
 */
export const forgetAskingForJobs = (db: Db, ids: string[]) =>
  db.update(jobs).set({ askedAt: null }).where(inArray(jobs.id, ids));
