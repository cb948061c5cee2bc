import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { meetings } from '../meetings/table.ts';
import { connectedUser } from '../people/queries.ts';
import { platforms } from '../platforms/table.ts';
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
 * Accepts a job. A person who is not connected is a null in `platform_id`, a month's quota that is spent one in `status`:
 * either fails the batch.
 */
export function insertJob(db: Db, { id, platformId, attendees, request, month, quota, now }: NewJob) {
  const [requester, other] = [connectedUser(platformId, attendees[0]), connectedUser(platformId, attendees[1])];
  const used = sql`coalesce((select used from ${usage} where platform_id = ${platformId} and month = ${month}), 0)`;
  return db.execute(sql`
    insert into ${jobs} (id, platform_id, status, request, next_run_at, created_at)
    values (${id},
      case when ${requester} is not null and ${other} is not null then ${platformId}::text end,
      case when ${quota}::int is null or ${used} < ${quota}::int then 'processing' end, ${JSON.stringify(request)}::jsonb, ${at(now)}, ${at(now)})`);
}

/** A platform's job; undefined for another's. */
export async function findJob(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [job] = await db
    .select({
      id: jobs.id,
      status: jobs.status,
      request: jobs.request,
      result: jobs.result,
      createdAt: jobs.createdAt,
      completedAt: jobs.completedAt,
    })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.platformId, platformId)));
  return job;
}

export type ClaimedJob = NonNullable<Awaited<ReturnType<typeof claimJob>>>;

/** The queue's clock may be this much ahead of ours. */
const EARLY_MS = 2_000;

/**
 * Takes a job that is due for one run; undefined when it has ended, is early or is in other hands. `wasLost` tells that
 * the run before never gave it back.
 */
export async function claimJob(
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
        eq(jobs.status, 'processing'),
        sql`(${jobs.leaseUntil} is null or ${jobs.leaseUntil} <= ${at(now)})`,
        sql`${jobs.nextRunAt} <= ${at(now + EARLY_MS)}`,
      ),
    )
    .returning({
      id: jobs.id,
      request: jobs.request,
      attempts: jobs.attempts,
      wasLost: sql<boolean>`exists (select 1 from jobs before where before.id = ${jobs.id} and before.lease_until is not null)`,
      createdAt: jobs.createdAt,
      platform: {
        id: platforms.id,
        name: platforms.name,
        email: platforms.email,
        plan: platforms.plan,
        redirectUris: platforms.redirectUris,
      },
    });
  return job;
}

/** Statement: locks the job, so that whether a run has it stays what the next statements see. */
export const lockJob = (db: Db, { id }: { id: string }) =>
  db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)).for('no key update');

/** Whether this run has the job in hand. */
export const isRunBy = ({ id, run }: { id: string; run: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.owner = ${run} and j.status = 'processing')`;

/** The meeting a job has made or begun to make, not one that failed. */
export async function findMeetingOfJob(db: Db, { id }: { id: string }) {
  const [meeting] = await db.select({ id: meetings.id }).from(meetings).where(eq(meetings.jobId, id));
  return meeting;
}

interface Ending {
  id: string;
  result: JobResult;
  now: number;
}

/** The job ends with its meeting; `result` is the data of the event that says so. */
export const completeJob = (db: Db, { id, result, now, guard }: Ending & { guard: Guard }) =>
  db
    .update(jobs)
    .set({ status: 'completed', result, completedAt: now, leaseUntil: null, nextRunAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), guard));

/** The job ends with its meeting's failing, and is nobody's: a run that comes back late has not failed it. */
export const failJobOfMeeting = (db: Db, { id, result, now, guard }: Ending & { guard: Guard }) =>
  db
    .update(jobs)
    .set({ status: 'failed', result, completedAt: now, owner: null, leaseUntil: null, nextRunAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), guard));

/** The job ends without a meeting, if its runner still has it and no meeting of it is under way. */
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

/** Whether this runner's failing went in. */
export const isFailedBy = ({ id, owner }: { id: string; owner: string }): Guard =>
  sql`exists (select 1 from jobs j where j.id = ${id} and j.status = 'failed' and j.owner = ${owner})`;

/** Statement: a job that waits for what became of its booking runs at once. */
export const wakeJob = (db: Db, { id, now, guard }: { id: string; now: number; guard: Guard }) =>
  db
    .update(jobs)
    .set({ nextRunAt: now, askedAt: null })
    .where(and(eq(jobs.id, id), eq(jobs.status, 'processing'), isNull(jobs.leaseUntil), guard));

/** Gives the job back for a later run. */
export const postponeJob = (db: Db, { id, owner, nextRunAt }: { id: string; owner: string; nextRunAt: number }) =>
  db
    .update(jobs)
    .set({ leaseUntil: null, nextRunAt })
    .where(and(eq(jobs.id, id), eq(jobs.owner, owner), eq(jobs.status, 'processing')));

interface Due {
  now: number;
  /** Due since before this; what was asked for at its time is not lost yet. */
  dueBefore: number;
  askedBefore: number;
  limit: number;
  /** How many of one platform. */
  each: number;
}

/** Takes jobs whose time has come and that nobody holds, to ask for them. */
export const takeDueJobs = (db: Db, { now, dueBefore, ...asking }: Due) =>
  takeInTurn(db, {
    table: sql`${jobs}`,
    indexed: sql`w.status = 'processing'`,
    isDue: sql`w.next_run_at <= ${at(dueBefore)} and (w.lease_until is null or w.lease_until <= ${at(now)})`,
    since: sql`w.next_run_at`,
    now,
    ...asking,
  });

/** Lets the next sweep ask again at once. */
export const forgetAskingForJobs = (db: Db, ids: string[]) =>
  db.update(jobs).set({ askedAt: null }).where(inArray(jobs.id, ids));
