import { and, asc, count, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { isConnectedTo, knownPerson } from '../access/people.ts';
import type { Place, Rows } from '../api/paging.ts';
import { LIVE_STATUSES, SHOWN_STATUSES, type ShownStatus } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { eventAnswers, meetingPeople, meetings, pendingOperations, type Response, SPAN } from '../tables/meetings.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { holds } from '../tables/proposals.ts';
import { connections, timeZone, users } from '../tables/users.ts';
import type { Interval } from '../units.ts';
import { openMoveOf } from './proposals-accept.ts';

export const requester = alias(meetingPeople, 'requester');
export const other = alias(meetingPeople, 'other');
const own = alias(meetingPeople, 'own');
const requesterAnswer = alias(eventAnswers, 'requester_answer');
const otherAnswer = alias(eventAnswers, 'other_answer');

const shownAnswer = (answer: typeof requesterAnswer | typeof otherAnswer, unanswered: Response) => ({
  responseStatus: sql<Response>`coalesce(${answer.responseStatus}, ${unanswered}::text)`,
  respondedAt: sql<number | null>`${answer.respondedAt}`.mapWith(answer.respondedAt),
});

/** An `exists` would make Postgres read all connections for a page of meetings, instead of one row for each person. */
const isConnected = ({ userId, platformId }: typeof requester | typeof other) =>
  sql<boolean>`coalesce((
    select c.disconnected_at is null from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId}), false)`;

const select = (db: Db) =>
  db
    .select({
      ...pick(meetings, 'id', 'platformId'),
      status: sql<ShownStatus>`${meetings.status}`,
      ...pick(meetings, 'title', 'description', 'location', 'meetLink', 'metadata', 'jobId', 'rescheduledFrom'),
      ...SPAN,
      rescheduledTo: sql<string | null>`(select n.id from meetings n
        where n.rescheduled_from = ${meetings.id} and ${meetings.status} = 'rescheduled')`,
      ...pick(meetings, 'createdAt', 'updatedAt', 'cancelledAt'),
      requester: {
        email: requester.email,
        isConnected: isConnected(requester),
        ...shownAnswer(requesterAnswer, 'accepted'),
      },
      other: { email: other.email, isConnected: isConnected(other), ...shownAnswer(otherAnswer, 'needsAction') },
      guestTimeZone: other.guestTimeZone,
    })
    .from(meetings)
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .leftJoin(
      requesterAnswer,
      and(eq(requesterAnswer.eventId, meetings.providerEventId), eq(requesterAnswer.userId, requester.userId)),
    )
    .leftJoin(
      otherAnswer,
      and(eq(otherAnswer.eventId, meetings.providerEventId), eq(otherAnswer.userId, other.userId)),
    );

export type FoundMeeting = Awaited<ReturnType<typeof select>>[number];

/** The caller checks the platform, because an unknown meeting and another platform's get different errors. */
export const findShownMeeting = (db: Db, { id }: { id: string }) =>
  select(db).where(and(eq(meetings.id, id), inArray(meetings.status, SHOWN_STATUSES)));

export interface SpanFilter {
  /** The meetings start from here on, and before `to`, in epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  status?: ShownStatus | undefined;
  /** Text that the titles of the listed meetings must contain, in any case. No index finds it, so the other filters bound the cost. */
  title?: string | undefined;
}

/** Covers the person's own meetings on all platforms, or those that a platform has with whom it knows by the address. */
export type MeetingFilter = SpanFilter & ({ userId: string } | { platformId: string; email: string });

const startsWithin = (startsAt: AnyPgColumn, { from, to }: SpanFilter) =>
  and(from === undefined ? undefined : gte(startsAt, from), to === undefined ? undefined : lt(startsAt, to));

const isOfUser = (filter: MeetingFilter) =>
  and(
    'userId' in filter
      ? eq(own.userId, filter.userId)
      : and(eq(own.platformId, filter.platformId), sql`${own.userId} = ${knownPerson(filter)}`),
    startsWithin(own.startsAt, filter),
  );

const hasStatus = (status: SQL, filter: SpanFilter) =>
  sql`${status} in ${filter.status === undefined ? [...SHOWN_STATUSES] : [filter.status]}`;

const hasTitle = ({ title }: SpanFilter) =>
  title === undefined ? undefined : sql`strpos(lower(${meetings.title}), lower(${title})) > 0`;

const isAfter = (startsAt: AnyPgColumn, id: AnyPgColumn, place: Place | undefined) =>
  place && sql`(${startsAt}, ${id}) > (${at(place.at)}, ${place.id})`;

export const listMeetings = (
  db: Db,
  { platformId, limit, after, ...filter }: SpanFilter & Rows & { platformId: string },
) =>
  select(db)
    .where(
      and(
        eq(meetings.platformId, platformId),
        startsWithin(meetings.startsAt, filter),
        hasStatus(sql`${meetings.status}`, filter),
        hasTitle(filter),
        isAfter(meetings.startsAt, meetings.id, after),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id))
    .limit(limit);

export const listUserMeetings = (db: Db, { limit, after, ...filter }: MeetingFilter & Rows) =>
  select(db)
    .innerJoin(own, eq(own.meetingId, meetings.id))
    .where(
      and(
        isOfUser(filter),
        hasStatus(sql`${meetings.status}`, filter),
        hasTitle(filter),
        isAfter(own.startsAt, own.meetingId, after),
      ),
    )
    .orderBy(asc(own.startsAt), asc(own.meetingId))
    .limit(limit);

/** Ignores the title. Looks up each meeting's status, because for thousands a join would read everybody's meetings. */
export const countUserMeetings = (db: Db, filter: MeetingFilter) =>
  db
    .select({ count: count() })
    .from(own)
    .where(
      and(isOfUser(filter), hasStatus(sql`(select m.status from ${meetings} m where m.id = ${own.meetingId})`, filter)),
    );

const selectOwn = (db: Db) =>
  db
    .select({
      ...pick(meetings, 'id', 'status', 'version', 'title', 'location', 'meetLink', 'createdAt'),
      ...SPAN,
      platform: PLATFORM,
      suspendedAt: platforms.suspendedAt,
      /** True if the event of a cancelled meeting may still be in the calendars, because Tandem could not delete it. */
      isEventLeft: sql<boolean>`exists (
        select 1 from ${pendingOperations} v where v.event_id = ${meetings.providerEventId} and v.kind = 'verify')`,
      requesterEmail: requester.email,
      otherEmail: other.email,
      position: meetingPeople.position,
      openMove: openMoveOf(sql`${meetings.id}`),
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .innerJoin(platforms, eq(platforms.id, meetings.platformId));

export type OwnMeeting = Awaited<ReturnType<typeof selectOwn>>[number];

export const listMeetingsAhead = (db: Db, { userId, now, limit, after }: Rows & { userId: string; now: number }) =>
  selectOwn(db)
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

export async function findOwnMeeting(db: Db, { userId, id }: { userId: string; id: string }) {
  const [meeting] = await selectOwn(db).where(
    and(eq(meetingPeople.userId, userId), eq(meetings.id, id), inArray(meetings.status, [...SHOWN_STATUSES])),
  );
  return meeting;
}

export const selectViewer = (db: Db, userId: string) =>
  db
    .select({ email: users.email, timeZone })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

interface Booking extends Interval {
  platformId: string;
  /** It is left out, because a meeting does not conflict with itself. */
  id: string;
  attendees: [string, string];
}

/** Lists only live ones of the same platform, by start time, with the address of the person whose meeting it is. */
export const listConflicts = (db: Db, { platformId, id, attendees, start, end }: Booking) =>
  db
    .selectDistinct({ email: users.email, meetingId: meetings.id, ...SPAN })
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

/** The requester's is first, from preferences or calendar. Without a connection it is the guest's own, or empty. */
export const listZonesOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({
      timeZone: sql<string>`case when not ${isConnectedTo(sql`${meetingPeople.userId}`, sql`${meetingPeople.platformId}`)}
        then coalesce(${meetingPeople.guestTimeZone}, '') else ${timeZone} end`,
    })
    .from(meetingPeople)
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .where(and(eq(meetingPeople.meetingId, meetingId), eq(meetingPeople.platformId, platformId)))
    .orderBy(asc(meetingPeople.position));

/** Selects what Tandem read in the reschedule's reason, and the job that booked the meeting: null once that is deleted. */
export const selectOriginOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ reading: meetings.reading, job: { ...pick(jobs, 'id', 'createdAt', 'completedAt', 'result') } })
    .from(meetings)
    .leftJoin(jobs, eq(jobs.id, meetings.jobId))
    .where(and(eq(meetings.id, meetingId), eq(meetings.platformId, platformId)));

/** Lists the meeting that this one replaced, and the one that replaces it. */
export const listReplacedMeetings = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ id: meetings.id, ...SPAN })
    .from(meetings)
    .where(
      and(
        eq(meetings.platformId, platformId),
        or(
          eq(meetings.rescheduledFrom, meetingId),
          sql`${meetings.id} = (select m.rescheduled_from from meetings m where m.id = ${meetingId})`,
        ),
      ),
    );
