import { and, eq, isNull, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { type BatchReason, batches, batchMeetings } from '../tables/batches.ts';
import { usage } from '../tables/platforms.ts';

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
 * `too_many_open` for more in unbooked batches than allowed. Batches of one platform are inserted one at a time.
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

/**
 * Counts also what the batches of the last hour did not book, however they ended: otherwise batches that book nothing
 * could be sent without end.
 */
const unbooked = ({ platformId, now }: { platformId: string; now: number }) => sql`coalesce((
  select sum(b.total - case when b.status in ('processing', 'planned') then 0 else
    (select count(*) from ${batchMeetings} i where i.batch_id = b.id and i.state = 'booked') end)
  from ${batches} b where b.platform_id = ${platformId}
    and (b.status in ('processing', 'planned') or b.created_at > ${at(now)} - interval '1 hour')), 0)`;

export async function countUnbooked(db: Db, of: { platformId: string; now: number }): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select ${unbooked(of)}::int as count`);
  return rows[0]?.count ?? 0;
}
