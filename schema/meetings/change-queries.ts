import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { holds } from '../holds/table.ts';
import { users } from '../users/table.ts';
import { type Hold, mine } from './claim-queries.ts';
import { type MeetingStatus, meetingPeople, meetings } from './table.ts';

const LIVE: MeetingStatus[] = ['scheduled', 'updated'];

/**
 * Takes a live meeting that is at rest in hand, at this version when one is given. It may match nothing, which
 * `insertChange` later in the batch makes the batch fail for.
 */
export const claimMeeting = (
  db: Db,
  { id, owner, platformId, leaseUntil, version }: Hold & { platformId: string; leaseUntil: number; version?: number },
) =>
  db
    .update(meetings)
    .set({ owner, leaseUntil })
    .where(
      and(
        eq(meetings.id, id),
        eq(meetings.platformId, platformId),
        inArray(meetings.status, LIVE),
        isNull(meetings.leaseUntil),
        version === undefined ? undefined : eq(meetings.version, version),
      ),
    )
    .returning({
      id: meetings.id,
      platformId: meetings.platformId,
      start: meetings.startsAt,
      end: meetings.endsAt,
      location: meetings.location,
      meetLink: meetings.meetLink,
      providerEventId: meetings.providerEventId,
    });

export type ClaimedMeeting = Awaited<ReturnType<typeof claimMeeting>>[number];

/** How a meeting stands, for a change that could not claim it; `isOwn` tells another platform's. */
export async function findStanding(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [standing] = await db
    .select({
      isOwn: sql<boolean>`${meetings.platformId} = ${platformId}`,
      status: meetings.status,
      leaseUntil: meetings.leaseUntil,
      version: meetings.version,
      title: meetings.title,
      start: meetings.startsAt,
      end: meetings.endsAt,
      organizerId: meetings.organizerId,
      otherId: sql<string>`(
        select p.user_id from ${meetingPeople} p where p.meeting_id = ${meetings.id} and p.position = 1)`,
      organizer: sql<string>`(
        select p.email from ${meetingPeople} p where p.meeting_id = ${meetings.id} and p.position = 0)`,
      other: sql<string>`(
        select p.email from ${meetingPeople} p where p.meeting_id = ${meetings.id} and p.position = 1)`,
    })
    .from(meetings)
    .where(eq(meetings.id, id));
  return standing;
}

export type Standing = NonNullable<Awaited<ReturnType<typeof findStanding>>>;

/** The event is gone from the calendar: the meeting is `cancelled`, for the owner only. */
export const cancelMeetingRow = (db: Db, { now, ...hold }: Hold & { now: number }) =>
  db
    .update(meetings)
    .set({
      ...{ status: 'cancelled', cancelledAt: now, updatedAt: now, leaseUntil: null },
      version: sql`${meetings.version} + 1`,
    })
    .where(mine(hold))
    .returning({ id: meetings.id });

/** The event has its new times: the meeting is `updated`, for the owner only. Moved, it is no longer a guarded one. */
export const moveMeetingRow = (
  db: Db,
  { start, end, keepsPeople, now, ...hold }: Hold & { start: number; end: number; keepsPeople: boolean; now: number },
) =>
  db
    .update(meetings)
    .set({
      ...{ status: 'updated', startsAt: start, endsAt: end, updatedAt: now, leaseUntil: null },
      guarded: keepsPeople
        ? sql`${meetings.guarded} and (${meetings.startsAt}, ${meetings.endsAt}) = (${at(start)}, ${at(end)})`
        : false,
      version: sql`${meetings.version} + 1`,
    })
    .where(mine(hold))
    .returning({ id: meetings.id });

/** The second attendee is another connected person from now on, with no answer yet. */
export const replaceOther = (
  db: Db,
  { id, platformId, other, onlyIf }: { id: string; platformId: string; other: string; onlyIf: OnlyIf },
) =>
  db.execute(sql`
    update ${meetingPeople} set user_id = held.user_id, email = ${other}, response_status = 'needsAction', responded_at = null
    from (
      select h.user_id from ${holds} h join ${users} u on u.id = h.user_id join ${meetings} m on m.id = h.meeting_id
      where h.meeting_id = ${id} and m.platform_id = ${platformId} and u.email = ${other} limit 1) held
    where meeting_id = ${id} and position = 1 and ${onlyIf}`);
