import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { BATCH_MEETING_STATES, type BatchMeetingState } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { batches, batchMeetings } from '../tables/batches.ts';

/** Counts by state. `searched` have times, `unread` must still be searched, and `inFlight` are being booked. */
export type BatchCounts = Record<BatchMeetingState | 'searched' | 'unread' | 'inFlight', number>;

export const selectBatch = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({
      id: batches.id,
      status: batches.status,
      isDryRun: batches.isDryRun,
      total: batches.total,
      createdAt: batches.createdAt,
      committedAt: batches.committedAt,
      endedAt: batches.endedAt,
    })
    .from(batches)
    .where(and(eq(batches.id, id), eq(batches.platformId, platformId)));

export type FoundBatch = Awaited<ReturnType<typeof selectBatch>>[number];

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

/** Lists them in the order of the request. */
export const listBatchMeetings = (db: Db, { platformId, id, after, limit, states }: MeetingsPage) =>
  db
    .select({
      position: batchMeetings.position,
      reference: batchMeetings.reference,
      requesterEmail: batchMeetings.requesterEmail,
      otherEmail: batchMeetings.otherEmail,
      state: batchMeetings.state,
      startsAt: batchMeetings.startsAt,
      endsAt: batchMeetings.endsAt,
      meetingId: batchMeetings.meetingId,
      reason: batchMeetings.reason,
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

/** Lists the newest first, with the counts of their meetings. */
export const listBatches = (
  db: Db,
  { platformId, after, limit }: { platformId: string; after: Place | undefined; limit: number },
) => {
  const count = (state: BatchMeetingState) =>
    sql`(select count(*) from batch_meetings i where i.batch_id = batches.id and i.state = ${state})`.mapWith(Number);
  return db
    .select({
      id: batches.id,
      status: batches.status,
      isDryRun: batches.isDryRun,
      total: batches.total,
      createdAt: batches.createdAt,
      endedAt: batches.endedAt,
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
