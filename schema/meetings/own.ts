import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { LIVE_STATUSES, SHOWN_STATUSES } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { meetingPeople, meetings, pendingOperations } from '../tables/meetings.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { timeZone, users } from '../tables/users.ts';
import { other, requester } from './list.ts';

/** `token` is that of the page, encrypted. */
interface OpenMove {
  id: string;
  token: string | null;
  expiresAt: number;
}

const select = (db: Db) =>
  db
    .select({
      id: meetings.id,
      status: meetings.status,
      version: meetings.version,
      title: meetings.title,
      location: meetings.location,
      meetLink: meetings.meetLink,
      start: meetings.startsAt,
      end: meetings.endsAt,
      createdAt: meetings.createdAt,
      platform: PLATFORM,
      suspendedAt: platforms.suspendedAt,
      /** True if the event of a cancelled meeting may still be in the calendars, because Tandem could not delete it. */
      isEventLeft: sql<boolean>`exists (
        select 1 from ${pendingOperations} v where v.event_id = ${meetings.providerEventId} and v.kind = 'verify')`,
      requesterEmail: requester.email,
      otherEmail: other.email,
      /** Position of the person who reads the list: 0 for the requester, 1 for the invited person. */
      position: meetingPeople.position,
      openMove: sql<OpenMove | null>`(
        select jsonb_build_object('id', o.id, 'token', o.token, 'expiresAt', round(extract(epoch from o.expires_at) * 1000))
        from proposals o where o.moves_meeting_id = ${meetings.id} and o.status = 'open')`,
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .innerJoin(platforms, eq(platforms.id, meetings.platformId));

export type OwnMeeting = Awaited<ReturnType<typeof select>>[number];

/** Covers all platforms, by start time, of meetings that have not begun. */
export const listMeetingsAhead = (
  db: Db,
  { userId, now, limit, after }: { userId: string; now: number; limit: number; after: Place | undefined },
) =>
  select(db)
    .where(
      and(
        eq(meetingPeople.userId, userId),
        gt(meetingPeople.startsAt, now),
        inArray(meetings.status, [...LIVE_STATUSES]),
        after && sql`(${meetingPeople.startsAt}, ${meetingPeople.meetingId}) > (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(asc(meetingPeople.startsAt), asc(meetingPeople.meetingId))
    .limit(limit);

/** The user must be an attendee. Returns undefined if there is none. */
export async function findOwnMeeting(db: Db, { userId, id }: { userId: string; id: string }) {
  const [meeting] = await select(db).where(
    and(eq(meetingPeople.userId, userId), eq(meetings.id, id), inArray(meetings.status, [...SHOWN_STATUSES])),
  );
  return meeting;
}

/** Returns no row for a deleted user. */
export const selectViewer = (db: Db, userId: string) =>
  db
    .select({ email: users.email, timeZone })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
