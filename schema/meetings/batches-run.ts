import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { at, pick, unleased } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { type BatchProgress, type BatchReason, batches, batchMeetings, type PairTimes } from '../tables/batches.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { type Due, EARLY_MS, takeDueWork } from './jobs.ts';
import type { Leasing } from './lease.ts';

export type BatchRun = { id: string; owner: string };

/** Returns undefined if the batch has ended, is not due or is leased, or if its platform is suspended. */
export async function leaseBatch(db: Db, { id, owner, now, leaseUntil }: Leasing) {
  const [batch] = await db
    .update(batches)
    .set({ owner, leaseUntil, askedAt: null, attempts: sql`${batches.attempts} + 1` })
    .from(platforms)
    .where(
      and(
        eq(batches.id, id),
        eq(platforms.id, batches.platformId),
        isNull(platforms.suspendedAt),
        isNull(batches.endedAt),
        unleased(batches.leaseUntil, now),
        sql`${batches.nextRunAt} <= ${at(now + EARLY_MS)}`,
      ),
    )
    .returning({
      ...pick(batches, 'id', 'status', 'isDryRun', 'options', 'progress', 'attempts', 'createdAt', 'committedAt'),
      platform: PLATFORM,
    });
  return batch;
}

export type LeasedBatch = NonNullable<Awaited<ReturnType<typeof leaseBatch>>>;

export const isBatchRunBy = ({ id, owner }: BatchRun): Guard =>
  sql`exists (select 1 from batches b where b.id = ${id} and b.owner = ${owner} and b.lease_until is not null and b.ended_at is null)`;

const isRunOf = ({ id, owner }: BatchRun) =>
  and(eq(batches.id, id), eq(batches.owner, owner), isNotNull(batches.leaseUntil), isNull(batches.endedAt));

type Released = BatchRun & Pick<LeasedBatch, 'status' | 'attempts'> & { nextRunAt: number; now: number };

/** The next run is now, if the batch was cancelled during this one. `attempts` counts failures in a row. */
export const releaseBatch = (db: Db, { status, nextRunAt, attempts, now, ...run }: Released) =>
  db
    .update(batches)
    .set({
      leaseUntil: null,
      nextRunAt: sql`case when ${batches.status} = ${status} then ${at(nextRunAt)} else ${at(now)} end`,
      attempts,
    })
    .where(isRunOf(run))
    .returning({ id: batches.id, nextRunAt: batches.nextRunAt });

export const endPlanning = (db: Db, run: BatchRun) =>
  db
    .update(batches)
    .set({ status: 'planned', leaseUntil: null, nextRunAt: null, progress: null, attempts: 0 })
    .where(and(isRunOf(run), eq(batches.status, 'processing')))
    .returning({ id: batches.id });

/** The lock keeps the batch's lease from changing before the following statements. */
export const lockBatch = (db: Db, { id }: { id: string }) =>
  db.select({ id: batches.id }).from(batches).where(eq(batches.id, id)).for('no key update');

export const keepProgress = (db: Db, { progress, ...run }: BatchRun & { progress: BatchProgress | null }) =>
  db.update(batches).set({ progress }).where(isRunOf(run));

/** A meeting of a batch that is open or placed, and that nobody is booking. */
export const isIdle = and(inArray(batchMeetings.state, ['open', 'placed']), isNull(batchMeetings.meetingId));

/** A meeting of a batch without a place, and without the times to choose it from. */
export const UNPLACED = { times: null, startsAt: null, endsAt: null };

const ofRun = (run: BatchRun) => and(eq(batchMeetings.batchId, run.id), isBatchRunBy(run));

const meeting = {
  ...pick(batchMeetings, 'position', 'requesterEmail', 'otherEmail', 'request'),
  ...pick(batchMeetings, 'failures', 'misses', 'startsAt', 'endsAt'),
};

export type BatchMeetingRow = Awaited<ReturnType<typeof listUnread>>[number];

type Some = { id: string; limit: number };

const listSome = (db: Db, { id, limit }: Some, ...which: SQL[]) =>
  db
    .select(meeting)
    .from(batchMeetings)
    .where(and(eq(batchMeetings.batchId, id), ...which))
    .orderBy(asc(batchMeetings.failures), asc(batchMeetings.position))
    .limit(limit);

export const listUnread = (db: Db, some: Some) =>
  listSome(db, some, eq(batchMeetings.state, 'open'), isNull(batchMeetings.times));

export const listToBook = (db: Db, some: Some) =>
  listSome(db, some, eq(batchMeetings.state, 'placed'), isNull(batchMeetings.meetingId));

export async function listInFlight(db: Db, { id, limit }: Some): Promise<string[]> {
  const rows = await db
    .select({ meetingId: batchMeetings.meetingId })
    .from(batchMeetings)
    .where(and(eq(batchMeetings.batchId, id), eq(batchMeetings.state, 'placed'), isNotNull(batchMeetings.meetingId)))
    .orderBy(asc(batchMeetings.position))
    .limit(limit);
  return rows.flatMap(({ meetingId }) => meetingId ?? []);
}

export const listToPlan = (db: Db, { id }: { id: string }) =>
  db
    .select({
      ...pick(batchMeetings, 'position', 'requesterEmail', 'otherEmail'),
      priority: sql<number>`coalesce((${batchMeetings.request} ->> 'priority')::int, 0)`,
      ...pick(batchMeetings, 'state', 'times', 'startsAt', 'endsAt'),
      durationMinutes: sql<number>`(${batchMeetings.request} ->> 'durationMinutes')::int`,
    })
    .from(batchMeetings)
    .where(and(eq(batchMeetings.batchId, id), inArray(batchMeetings.state, ['open', 'placed', 'booked'])))
    .orderBy(asc(batchMeetings.position));

export type ToPlan = Awaited<ReturnType<typeof listToPlan>>[number];

export const keepTimes = (db: Db, run: BatchRun, found: { position: number; times: PairTimes }[]) =>
  db.execute(sql`
    update ${batchMeetings} set times = r.times
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) r (position int, times jsonb)
    where batch_id = ${run.id} and ${batchMeetings.position} = r.position and state = 'open' and ${isBatchRunBy(run)}`);

type Ended = { position: number; state: 'unplaced' | 'failed'; reason: BatchReason };

/** Leaves out meetings that are being booked. Each has its reason. */
export const endMeetings = (db: Db, run: BatchRun, ended: Ended[]) =>
  db.execute(sql`
    update ${batchMeetings} set state = r.state, reason = r.reason, times = null, starts_at = null, ends_at = null
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) r (position int, state text, reason jsonb)
    where batch_id = ${run.id} and ${batchMeetings.position} = r.position and ${batchMeetings.state} in ('open', 'placed')
      and meeting_id is null and ${isBatchRunBy(run)}`);

/** Leaves out meetings that somebody is booking. */
export const countFailures = (db: Db, run: BatchRun, positions: number[]) =>
  db
    .update(batchMeetings)
    .set({ failures: sql`${batchMeetings.failures} + 1` })
    .where(and(ofRun(run), inArray(batchMeetings.position, positions), isNull(batchMeetings.meetingId)));

export const placeMeetings = (db: Db, run: BatchRun, placed: { position: number; start: number; end: number }[]) =>
  db.execute(sql`
    update ${batchMeetings} set state = 'placed', starts_at = to_timestamp(r.start / 1000.0), ends_at = to_timestamp(r.end / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) r (position int, start bigint, "end" bigint)
    where batch_id = ${run.id} and ${batchMeetings.position} = r.position and state = 'open' and ${isBatchRunBy(run)}`);

/** Its time is no longer free, so both calendars are read again. Does nothing while it is being booked. */
export const missMeeting = (db: Db, run: BatchRun, { position }: { position: number }) =>
  db
    .update(batchMeetings)
    .set({ ...UNPLACED, state: 'open', misses: sql`${batchMeetings.misses} + 1` })
    .where(and(ofRun(run), eq(batchMeetings.position, position), eq(batchMeetings.state, 'placed'), isIdle));

export const takeDueBatches = (db: Db, due: Due) => takeDueWork(db, batches, sql`w.next_run_at is not null`, due);
