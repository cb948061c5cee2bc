import { and, eq, isNull, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { type BatchReason, batches, batchMeetings } from '../tables/batches.ts';

/** Position of a meeting in a batch, for which a booking is made, and the run of the batch that makes it. */
export interface BookedPlace {
  batchId: string;
  position: number;
  run: string;
}

/**
 * Builds the statements that reserve a placed meeting of a batch for the booking `meetingId`. The first statement locks
 * the batch, so that nobody cancels it before the booking is stored. The second one matches nothing in these cases, so
 * check `isPlaceTakenBy` in the same transaction:
 * - Another run has leased the batch, or the batch was cancelled.
 * - The platform was suspended. The batch goes on when the platform is resumed.
 * - The meeting of the batch is no longer placed, or it has another booking.
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

/**
 * Returns an SQL condition that is true if `takePlace` reserved the batch's meeting for this booking, and the same run
 * still has the batch.
 */
export const isPlaceTakenBy = ({ batchId, position, run, meetingId }: BookedPlace & { meetingId: string }): Guard =>
  sql`exists (select 1 from batch_meetings i join batches b on b.id = i.batch_id
    where i.batch_id = ${batchId} and i.position = ${position} and i.state = 'placed' and i.meeting_id = ${meetingId}
      and b.owner = ${run} and b.lease_until is not null and b.status = 'processing')`;

interface Settled {
  meetingId: string;
  guard: Guard;
}

/** Builds a statement that marks a meeting of a batch as booked, and stores the time that its calendar event has. */
export const bookInBatch = (db: Db, { meetingId, start, end, guard }: Settled & { start: number; end: number }) =>
  db
    .update(batchMeetings)
    .set({ state: 'booked', startsAt: start, endsAt: end })
    .where(and(eq(batchMeetings.meetingId, meetingId), eq(batchMeetings.state, 'placed'), guard));

/**
 * Builds a statement that releases a meeting of a batch from its booking, because the booking was undone. The batch may
 * then book the meeting again.
 */
export const returnToBatch = (db: Db, { meetingId, guard }: Settled) =>
  db
    .update(batchMeetings)
    .set({ meetingId: null })
    .where(and(eq(batchMeetings.meetingId, meetingId), eq(batchMeetings.state, 'placed'), guard));

/**
 * Builds a statement that fails a meeting of a batch whose booking was undone because the calendar never confirmed it.
 * It must follow `returnToBatch`.
 */
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

/**
 * Builds a statement that makes a batch due at once, because one of its bookings has ended. It does nothing while a run
 * is working on the batch, because that run plans the next one itself.
 */
export const wakeBatch = (db: Db, { id, now, guard }: { id: string; now: number; guard: Guard }) =>
  db
    .update(batches)
    .set({ nextRunAt: sql`${at(now)}`, askedAt: null })
    .where(and(eq(batches.id, id), isNull(batches.leaseUntil), sql`${batches.nextRunAt} is not null`, guard));
