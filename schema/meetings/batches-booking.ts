import { and, eq, isNull, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { type BatchReason, batches, batchMeetings } from '../tables/batches.ts';

export interface BookedPlace {
  batchId: string;
  position: number;
  run: string;
}

/**
 * The first locks the batch, so that nobody cancels it before the booking is stored. The second matches nothing if
 * another run has leased the batch or it was cancelled, if the platform was suspended (the batch goes on once it is
 * resumed), or if the meeting is not placed any more or has another booking. So check `isPlaceTakenBy` in the same
 * transaction.
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

interface Settled {
  meetingId: string;
  guard: Guard;
}

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
