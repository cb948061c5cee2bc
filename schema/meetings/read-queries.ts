import { and, asc, count, eq, gt, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { Place } from '../api/paging.ts';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { holds } from '../holds/table.ts';
import { userIdOf } from '../users/queries.ts';
import { users } from '../users/table.ts';
import { LIVE_STATUSES, SHOWN_STATUSES, type ShownStatus } from './status.ts';
import { meetingPeople, meetings } from './table.ts';

const requester = alias(meetingPeople, 'requester');
const other = alias(meetingPeople, 'other');
const own = alias(meetingPeople, 'own');

const select = (db: Db) =>
  db
    .select({
      id: meetings.id,
      platformId: meetings.platformId,
      status: sql<ShownStatus>`${meetings.status}`,
      title: meetings.title,
      description: meetings.description,
      location: meetings.location,
      start: meetings.startsAt,
      end: meetings.endsAt,
      meetLink: meetings.meetLink,
      metadata: meetings.metadata,
      jobId: meetings.jobId,
      rescheduledFrom: meetings.rescheduledFrom,
      rescheduledTo: sql<string | null>`(select n.id from meetings n
        where n.rescheduled_from = ${meetings.id} and ${meetings.status} = 'rescheduled')`,
      createdAt: meetings.createdAt,
      updatedAt: meetings.updatedAt,
      cancelledAt: meetings.cancelledAt,
      requester: {
        email: requester.email,
        responseStatus: requester.responseStatus,
        respondedAt: requester.respondedAt,
      },
      other: { email: other.email, responseStatus: other.responseStatus, respondedAt: other.respondedAt },
    })
    .from(meetings)
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)));

export type FoundMeeting = Awaited<ReturnType<typeof select>>[number];

/**
 * Statement: the meeting of this id, one ever shown only. The caller tells its own from another platform's, as the two
 * refusals differ.
 */
export const findShownMeeting = (db: Db, { id }: { id: string }) =>
  select(db).where(and(eq(meetings.id, id), inArray(meetings.status, SHOWN_STATUSES)));

export interface SpanFilter {
  /** Starts in [from, to), epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  status?: ShownStatus | undefined;
}

export interface MeetingFilter extends SpanFilter {
  /** Null for those of all platforms. */
  platformId: string | null;
  email: string;
}

interface Some {
  limit: number;
  after: Place | undefined;
}

const startsWithin = (startsAt: AnyPgColumn, { from, to }: SpanFilter) =>
  and(from === undefined ? undefined : gte(startsAt, from), to === undefined ? undefined : lt(startsAt, to));

const isOfUser = ({ platformId, email, ...filter }: MeetingFilter) =>
  and(
    platformId === null ? undefined : eq(own.platformId, platformId),
    eq(own.userId, userIdOf(email)),
    startsWithin(own.startsAt, filter),
  );

const hasStatus = (status: SQL, filter: SpanFilter) =>
  sql`${status} in ${filter.status === undefined ? [...SHOWN_STATUSES] : [filter.status]}`;

const isAfter = (startsAt: AnyPgColumn, id: AnyPgColumn, place: Place | undefined) =>
  place && sql`(${startsAt}, ${id}) > (${at(place.at)}, ${place.id})`;

/** A platform's meetings in order of their start, some at a time, from after the given one. */
export const listMeetings = (
  db: Db,
  { platformId, limit, after, ...filter }: SpanFilter & Some & { platformId: string },
) =>
  select(db)
    .where(
      and(
        eq(meetings.platformId, platformId),
        startsWithin(meetings.startsAt, filter),
        hasStatus(sql`${meetings.status}`, filter),
        isAfter(meetings.startsAt, meetings.id, after),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id))
    .limit(limit);

/** A person's meetings in order of their start, some at a time, from after the given one. */
export const listUserMeetings = (db: Db, { limit, after, ...filter }: MeetingFilter & Some) =>
  select(db)
    .innerJoin(own, eq(own.meetingId, meetings.id))
    .where(
      and(isOfUser(filter), hasStatus(sql`${meetings.status}`, filter), isAfter(own.startsAt, own.meetingId, after)),
    )
    .orderBy(asc(own.startsAt), asc(own.meetingId))
    .limit(limit);

/**
 * Statement: how many such meetings a person has. Each status is looked up by itself, so that what it costs
 * hangs on their number alone: a join of thousands reads all meetings of everybody.
 */
export const countUserMeetings = (db: Db, filter: MeetingFilter) =>
  db
    .select({ count: count() })
    .from(own)
    .where(
      and(isOfUser(filter), hasStatus(sql`(select m.status from ${meetings} m where m.id = ${own.meetingId})`, filter)),
    );

interface Booking {
  platformId: string;
  /** The meeting itself, which is in nobody's way. */
  id: string;
  attendees: [string, string];
  /** Epoch milliseconds. */
  start: number;
  end: number;
}

/** The platform's own live meetings of the two people that overlap a time, and whose they are, in order of their start. */
export const listConflicts = (db: Db, { platformId, id, attendees, start, end }: Booking) =>
  db
    .selectDistinct({ email: users.email, meetingId: meetings.id, start: meetings.startsAt, end: meetings.endsAt })
    .from(users)
    .innerJoin(holds, and(eq(holds.userId, users.id), sql`${holds.during} && tstzrange(${at(start)}, ${at(end)})`))
    .innerJoin(meetings, eq(meetings.id, holds.meetingId))
    .where(
      and(
        inArray(users.email, attendees),
        eq(meetings.platformId, platformId),
        ne(meetings.id, id),
        inArray(meetings.status, LIVE_STATUSES),
        lt(meetings.startsAt, end),
        gt(meetings.endsAt, start),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id), asc(users.email));

export type Conflict = Awaited<ReturnType<typeof listConflicts>>[number];

/** A person's meetings of all platforms in order of their start, some at a time, from after the given one. */
export const listMeetingsWith = (db: Db, { userId, after, limit }: Some & { userId: string }) =>
  select(db)
    .innerJoin(own, eq(own.meetingId, meetings.id))
    .where(
      and(
        eq(own.userId, userId),
        inArray(meetings.status, SHOWN_STATUSES),
        isAfter(own.startsAt, own.meetingId, after),
      ),
    )
    .orderBy(asc(own.startsAt), asc(own.meetingId))
    .limit(limit);

/** Whether this person of the meeting is connected with the meeting's platform now. */
const isConnected = sql`exists (
  select 1 from ${connections} c
  where c.user_id = ${meetingPeople.userId} and c.platform_id = ${meetings.platformId} and c.disconnected_at is null)`;

type ConnectionStatus = (typeof calendarAccounts.$inferSelect)['status'];

/** A meeting as it is now, for a change of it; `isOwn` tells another platform's. */
export async function findSnapshot(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [snapshot] = await db
    .select({
      isOwn: sql<boolean>`${meetings.platformId} = ${platformId}`,
      status: meetings.status,
      leaseUntil: meetings.leaseUntil,
      version: meetings.version,
      start: meetings.startsAt,
      end: meetings.endsAt,
      metadata: meetings.metadata,
      providerEventId: meetings.providerEventId,
      organizerId: meetings.organizerId,
      otherId: other.userId,
      organizer: requester.email,
      other: other.email,
      /** The starts of the meetings it replaced one after the other, epoch milliseconds. */
      earlierStarts: sql<number[]>`coalesce((
        with recursive earlier as (
          select ${meetings.rescheduledFrom} as id
          union all select m.rescheduled_from from meetings m join earlier e on m.id = e.id)
        select jsonb_agg(round(extract(epoch from m.starts_at) * 1000)) from meetings m join earlier e on m.id = e.id
      ), '[]'::jsonb)`,
      /** The zones the two live in, the requester's first, as far as they or their calendars say. */
      timeZones: sql<string[]>`array(
        select coalesce(u.preferences ->> 'timezone', u.calendar_time_zone) from ${meetingPeople} p
        join ${users} u on u.id = p.user_id where p.meeting_id = ${meetings.id} order by p.position)`,
      /** Who of the two is not connected with the meeting's platform now. */
      disconnected: sql<string[]>`array(
        select ${meetingPeople.email} from ${meetingPeople}
        where ${meetingPeople.meetingId} = ${meetings.id} and not ${isConnected} order by ${meetingPeople.position})`,
    })
    .from(meetings)
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .where(eq(meetings.id, id));
  return snapshot;
}

export type Snapshot = NonNullable<Awaited<ReturnType<typeof findSnapshot>>>;

/**
 * The two people of a meeting, the requester first, as far as its platform may reach them now: `status` is
 * `disconnected` for one who is not connected with it, whatever other platforms they consented to.
 */
export const listMeetingPeople = (db: Db, { meetingId }: { meetingId: string }) =>
  db
    .select({
      id: users.id,
      email: meetingPeople.email,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      weights: users.weights,
      status: sql<ConnectionStatus>`case when ${isConnected} then ${calendarAccounts.status} else 'disconnected' end`,
      ...readable,
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(meetingPeople.meetingId, meetingId))
    .orderBy(meetingPeople.position);
