import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Rows } from '../api/paging.ts';
import { BATCH_MEETING_STATES, type BatchMeetingState, type BatchStatus } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { type BatchReason, batches, batchMeetings } from '../tables/batches.ts';
import { usage } from '../tables/platforms.ts';
import { type BatchRun, isBatchRunBy, isIdle, UNPLACED } from './batches-run.ts';

/** Counts by state. `searched` have times, `unread` must still be searched, and `inFlight` are being booked. */
export type BatchCounts = Record<BatchMeetingState | 'searched' | 'unread' | 'inFlight', number>;

export const selectBatch = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({ ...pick(batches, 'id', 'status', 'isDryRun', 'total', 'createdAt', 'committedAt', 'endedAt') })
    .from(batches)
    .where(and(eq(batches.id, id), eq(batches.platformId, platformId)));

export const countBatch = (db: Db, { id }: { id: string }) =>
  db
    .select({
      ...(Object.fromEntries(
        BATCH_MEETING_STATES.map((state) => [
          state,
          sql`count(*) filter (where ${batchMeetings.state} = ${state})`.mapWith(Number),
        ]),
      ) as Record<BatchMeetingState, ReturnType<typeof counted>>),
      searched: counted(sql`${batchMeetings.times} is not null or ${batchMeetings.state} <> 'open'`),
      unread: counted(sql`${batchMeetings.times} is null and ${batchMeetings.state} = 'open'`),
      inFlight: counted(sql`${batchMeetings.state} = 'placed' and ${batchMeetings.meetingId} is not null`),
    })
    .from(batchMeetings)
    .where(eq(batchMeetings.batchId, id));

const counted = (where: ReturnType<typeof sql>) => sql`count(*) filter (where ${where})`.mapWith(Number);

interface MeetingsPage {
  platformId: string;
  id: string;
  after: number;
  limit: number;
  states?: readonly BatchMeetingState[] | undefined;
}

export const listBatchMeetings = (db: Db, { platformId, id, after, limit, states }: MeetingsPage) =>
  db
    .select({
      ...pick(batchMeetings, 'position', 'reference', 'requesterEmail', 'otherEmail', 'state'),
      ...pick(batchMeetings, 'startsAt', 'endsAt', 'meetingId', 'reason'),
    })
    .from(batchMeetings)
    .innerJoin(batches, eq(batches.id, batchMeetings.batchId))
    .where(
      and(
        eq(batches.id, id),
        eq(batches.platformId, platformId),
        gt(batchMeetings.position, after),
        states && inArray(batchMeetings.state, [...states]),
      ),
    )
    .orderBy(asc(batchMeetings.position))
    .limit(limit);

export type ListedMeeting = Awaited<ReturnType<typeof listBatchMeetings>>[number];

export const listBatches = (db: Db, { platformId, after, limit }: Rows & { platformId: string }) => {
  const count = (state: BatchMeetingState) =>
    sql`(select count(*) from batch_meetings i where i.batch_id = batches.id and i.state = ${state})`.mapWith(Number);
  return db
    .select({
      ...pick(batches, 'id', 'status', 'isDryRun', 'total', 'createdAt', 'endedAt'),
      booked: count('booked'),
      placed: count('placed'),
      unplaced: count('unplaced'),
      failed: count('failed'),
    })
    .from(batches)
    .where(
      and(
        eq(batches.platformId, platformId),
        after && sql`(${batches.createdAt}, ${batches.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(batches.createdAt), desc(batches.id))
    .limit(limit);
};

export type ListedBatch = Awaited<ReturnType<typeof listBatches>>[number];

type Committed = { platformId: string; id: string; month: string; quota: number | null; now: number };

/** Returns no row unless it is planned. Refuses as `quota_exhausted` if more are placed than the quota has left. */
export const commitPlanned = (db: Db, { platformId, id, month, quota, now }: Committed) => {
  const used = sql`coalesce((select used from ${usage} where platform_id = ${platformId} and month = ${month}), 0)`;
  const placed = sql`(select count(*) from batch_meetings i where i.batch_id = ${id} and i.state = 'placed')`;
  const fits = sql`${quota}::int is null or ${used} + ${placed} <= ${quota}::int`;
  return db
    .update(batches)
    .set({
      status: sql`case when ${fits} then 'processing' else ${refuse('quota_exhausted')} end`,
      committedAt: now,
      nextRunAt: now,
    })
    .where(and(eq(batches.id, id), eq(batches.platformId, platformId), eq(batches.status, 'planned')))
    .returning({ id: batches.id });
};

const CANCELLABLE: BatchStatus[] = ['processing', 'planned'];

/** The batch itself ends in a later run, once the bookings that it had begun are finished or undone. */
export const cancelBatch = (db: Db, { platformId, id, now }: { platformId: string; id: string; now: number }) =>
  [
    db
      .update(batches)
      .set({ status: 'cancelled', nextRunAt: now, askedAt: null, progress: null })
      .where(and(eq(batches.id, id), eq(batches.platformId, platformId), inArray(batches.status, CANCELLABLE)))
      .returning({ id: batches.id }),
    cancelMeetings(db, id, sql`exists (select 1 from batches b where b.id = ${id} and b.platform_id = ${platformId})`),
  ] as const;

/** Takes the open and placed ones, except those that are being booked. */
const cancelMeetings = (db: Db, id: string, guard: Guard) =>
  db
    .update(batchMeetings)
    .set({ ...UNPLACED, state: 'cancelled' })
    .where(
      and(
        eq(batchMeetings.batchId, id),
        isIdle,
        sql`exists (select 1 from batches b where b.id = ${id} and b.status = 'cancelled')`,
        guard,
      ),
    );

/** Takes the open and placed ones, except those that are being booked. */
export const failRest = (db: Db, run: BatchRun, reason: BatchReason) =>
  db
    .update(batchMeetings)
    .set({ ...UNPLACED, state: 'failed', reason })
    .where(and(eq(batchMeetings.batchId, run.id), isIdle, isBatchRunBy(run)));

/** Their bookings were undone after the cancellation. */
export const cancelRest = (db: Db, run: BatchRun) => cancelMeetings(db, run.id, isBatchRunBy(run));

/** Matches nothing while a meeting is open or placed. A batch that was cancelled meanwhile ends only as cancelled. */
export const endBatch = (db: Db, run: BatchRun, { status, now }: { status: 'completed' | 'cancelled'; now: number }) =>
  [
    db
      .update(batches)
      .set({ status, endedAt: now, leaseUntil: null, nextRunAt: null, progress: null })
      .where(
        and(
          eq(batches.id, run.id),
          isBatchRunBy(run),
          eq(batches.status, status === 'completed' ? 'processing' : 'cancelled'),
          sql`not exists (select 1 from batch_meetings i where i.batch_id = ${run.id} and i.state in ('open', 'placed'))`,
        ),
      )
      .returning({ id: batches.id }),
    db
      .update(batchMeetings)
      .set({ times: null })
      .where(and(eq(batchMeetings.batchId, run.id), sql`${batchMeetings.times} is not null`, isBatchEndedBy(run))),
  ] as const;

export const isBatchEndedBy = ({ id, owner }: BatchRun): Guard =>
  sql`exists (select 1 from batches b where b.id = ${id} and b.owner = ${owner} and b.ended_at is not null)`;

/** Cancels also the meetings that are not being booked. Bookings that have begun go on without the batch. */
export const cancelBatchesOf = (db: Db, { platformId, now }: { platformId: string; now: number }) => ({
  batches: db.execute(sql`
    update ${batches} set status = 'cancelled', ended_at = ${at(now)}, owner = null, lease_until = null, next_run_at = null, progress = null
    where platform_id = ${platformId} and ended_at is null`),
  batchMeetings: db.execute(sql`
    update ${batchMeetings} set state = 'cancelled', times = null, starts_at = null, ends_at = null
    where batch_id in (select b.id from batches b where b.platform_id = ${platformId}) and state in ('open', 'placed') and meeting_id is null`),
});
