import { and, asc, count, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import { knownPerson } from '../access/people-guest.ts';
import { userIdOf } from '../access/users-identity.ts';
import type { Place } from '../api/paging.ts';
import { SHOWN_STATUSES, type ShownStatus } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { connections } from '../tables/connections.ts';
import { eventAnswers, meetingPeople, meetings, type Response } from '../tables/meetings.ts';

export const requester = alias(meetingPeople, 'requester');
export const other = alias(meetingPeople, 'other');
const own = alias(meetingPeople, 'own');
const requesterAnswer = alias(eventAnswers, 'requester_answer');
const otherAnswer = alias(eventAnswers, 'other_answer');

/** A person who has not answered is shown with the answer `unanswered`. */
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
  from?: number | undefined;
  /** End of the range of start times to list, itself excluded, in epoch milliseconds. */
  to?: number | undefined;
  status?: ShownStatus | undefined;
  /** Text that the titles of the listed meetings must contain, in any case. No index finds it, so the other filters bound the cost. */
  title?: string | undefined;
}

export interface MeetingFilter extends SpanFilter {
  /** Platform whose meetings are selected, null for all platforms. */
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
    sql`${own.userId} = ${platformId === null ? userIdOf(email) : knownPerson({ platformId, email })}`,
    startsWithin(own.startsAt, filter),
  );

const hasStatus = (status: SQL, filter: SpanFilter) =>
  sql`${status} in ${filter.status === undefined ? [...SHOWN_STATUSES] : [filter.status]}`;

const hasTitle = ({ title }: SpanFilter) =>
  title === undefined ? undefined : sql`strpos(lower(${meetings.title}), lower(${title})) > 0`;

const isAfter = (startsAt: AnyPgColumn, id: AnyPgColumn, place: Place | undefined) =>
  place && sql`(${startsAt}, ${id}) > (${at(place.at)}, ${place.id})`;

/** Lists by start time, after the position of the previous page. */
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
        hasTitle(filter),
        isAfter(meetings.startsAt, meetings.id, after),
      ),
    )
    .orderBy(asc(meetings.startsAt), asc(meetings.id))
    .limit(limit);

/** Lists by start time, after the position of the previous page. */
export const listUserMeetings = (db: Db, { limit, after, ...filter }: MeetingFilter & Some) =>
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

/**
 * Leaves out the title. The status of each meeting is looked up separately, so that the cost depends only on the
 * person's meetings. With thousands, a join would read the meetings of all people.
 */
export const countUserMeetings = (db: Db, filter: MeetingFilter) =>
  db
    .select({ count: count() })
    .from(own)
    .where(
      and(isOfUser(filter), hasStatus(sql`(select m.status from ${meetings} m where m.id = ${own.meetingId})`, filter)),
    );

/** Lists by start time, on all platforms. */
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
