import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at, pick, unleased } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { type BatchProgress, type BatchReason, batches, batchMeetings, type PairTimes } from '../tables/batches.ts';
import { PLATFORM, platforms, usage } from '../tables/platforms.ts';
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

export const isIdle = and(inArray(batchMeetings.state, ['open', 'placed']), isNull(batchMeetings.meetingId));

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

export type BookedPlace = { batchId: string; position: number; run: string };

/**
 * The first locks the batch, so that nobody cancels it before the booking is stored. The second matches nothing if
 * another run has leased the batch, if it was cancelled or its platform suspended, or if the meeting is not placed any
 * more or has another booking. So check `isPlaceTakenBy` in the same transaction.
 */
export const takePlace = (db: Db, { batchId, position, run, meetingId }: BookedPlace & { meetingId: string }) => [
  db.select({ id: batches.id }).from(batches).where(eq(batches.id, batchId)).for('share'),
  db
    .update(batchMeetings)
    .set({ meetingId })
    .where(
      and(
        eq(batchMeetings.batchId, batchId),
        eq(batchMeetings.position, position),
        eq(batchMeetings.state, 'placed'),
        isNull(batchMeetings.meetingId),
        sql`exists (select 1 from batches b where b.id = ${batchId} and b.owner = ${run} and b.lease_until is not null and b.status = 'processing'
          and ${isActive(sql`b.platform_id`)})`,
      ),
    ),
];

/** `takePlace` reserved the batch's meeting for this booking, and the same run still has the batch. */
export const isPlaceTakenBy = ({ batchId, position, run, meetingId }: BookedPlace & { meetingId: string }): Guard =>
  sql`exists (select 1 from batch_meetings i join batches b on b.id = i.batch_id
    where i.batch_id = ${batchId} and i.position = ${position} and i.state = 'placed' and i.meeting_id = ${meetingId}
      and b.owner = ${run} and b.lease_until is not null and b.status = 'processing')`;

type Settled = { meetingId: string; guard: Guard };

/** Stores the time that its calendar event has. */
export const bookInBatch = (db: Db, { meetingId, start, end, guard }: Settled & { start: number; end: number }) =>
  db
    .update(batchMeetings)
    .set({ state: 'booked', startsAt: start, endsAt: end })
    .where(and(eq(batchMeetings.meetingId, meetingId), eq(batchMeetings.state, 'placed'), guard));

/** The booking was undone, and the batch may book the meeting again. */
export const returnToBatch = (db: Db, { meetingId, guard }: Settled) =>
  db
    .update(batchMeetings)
    .set({ meetingId: null })
    .where(and(eq(batchMeetings.meetingId, meetingId), eq(batchMeetings.state, 'placed'), guard));

/** The calendar never confirmed the booking, which was undone. Must follow `returnToBatch`. */
export const failInBatch = (
  db: Db,
  { batchId, position, reason, guard }: { batchId: string; position: number; reason: BatchReason; guard: Guard },
) =>
  db
    .update(batchMeetings)
    .set({ state: 'failed', reason, startsAt: null, endsAt: null, times: null })
    .where(
      and(
        eq(batchMeetings.batchId, batchId),
        eq(batchMeetings.position, position),
        eq(batchMeetings.state, 'placed'),
        isNull(batchMeetings.meetingId),
        guard,
      ),
    );

/** One of its bookings has ended. Does nothing while a run works on the batch, because that plans the next itself. */
export const wakeBatch = (db: Db, { id, now, guard }: { id: string; now: number; guard: Guard }) =>
  db
    .update(batches)
    .set({ nextRunAt: sql`${at(now)}`, askedAt: null })
    .where(and(eq(batches.id, id), isNull(batches.leaseUntil), sql`${batches.nextRunAt} is not null`, guard));

export interface NewBatch extends Pick<typeof batches.$inferSelect, 'id' | 'platformId' | 'options' | 'isDryRun'> {
  meetings: { reference: string; attendees: [string, string]; request: Record<string, unknown> }[];
  /** UTC month whose quota the meetings will use, as `YYYY-MM`, and the quota. A null quota is not checked. */
  month: string;
  quota: number | null;
  mostOpen: number;
  now: number;
}

/**
 * Refuses the transaction as `quota_exhausted` for more meetings than the month's quota has left, and as
 * `too_many_open` for more in unbooked batches than `mostOpen`. Inserts batches of one platform one at a time.
 */
export function insertBatch(db: Db, { id, platformId, isDryRun, meetings, quota, mostOpen, now, ...batch }: NewBatch) {
  const total = meetings.length;
  const used = sql`coalesce((select used from ${usage} where platform_id = ${platformId} and month = ${batch.month}), 0)`;
  const fits = sql`${quota}::int is null or ${used} + ${total}::int <= ${quota}::int`;
  const rows = meetings.map(({ reference, attendees: [requester, other], request }, position) => ({
    ...{ position, reference, requester, other, request },
  }));
  return [
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`batches ${platformId}`}, 0))`),
    db.execute(sql`
      select case when ${unbooked({ platformId, now })} + ${total}::int > ${mostOpen}::int then ${refuse('too_many_open')} end`),
    db.execute(sql`
      insert into ${batches} (id, platform_id, status, is_dry_run, total, options, next_run_at, created_at)
      values (${id}, ${platformId}, case when ${fits} then 'processing' else ${refuse('quota_exhausted')} end,
        ${isDryRun}, ${total}, ${JSON.stringify(batch.options)}::jsonb, ${at(now)}, ${at(now)})`),
    db.execute(sql`
      insert into ${batchMeetings} (batch_id, position, reference, requester_email, other_email, request, state)
      select ${id}::text, r.position, r.reference, r.requester, r.other, r.request, 'open'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        r (position int, reference text, requester text, other text, request jsonb)`),
  ] as const;
}

/** Also counts what batches of the last hour did not book, or batches that book nothing could be sent without end. */
const unbooked = ({ platformId, now }: { platformId: string; now: number }) => sql`coalesce((
  select sum(b.total - case when b.status in ('processing', 'planned') then 0 else
    (select count(*) from ${batchMeetings} i where i.batch_id = b.id and i.state = 'booked') end)
  from ${batches} b where b.platform_id = ${platformId}
    and (b.status in ('processing', 'planned') or b.created_at > ${at(now)} - interval '1 hour')), 0)`;

export async function countUnbooked(db: Db, of: { platformId: string; now: number }): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select ${unbooked(of)}::int as count`);
  return rows[0]?.count ?? 0;
}
