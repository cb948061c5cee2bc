import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { holds } from '../holds/table.ts';
import { LIVE_STATUSES } from '../meetings/status.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { proposals } from '../proposals/table.ts';
import { rulesOfUser } from '../standing-rules/queries.ts';
import { userIdOf } from '../users/identity-queries.ts';
import { users } from '../users/table.ts';

const person = {
  id: users.id,
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  rules: rulesOfUser,
  status: calendarAccounts.status,
  ...readable,
};

/**
 * Builds a statement that finds one person by id, for that person's own requests. The person need not be connected to
 * any platform.
 */
export const listOwnPerson = (db: Db, { userId }: { userId: string }) =>
  db
    .select(person)
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));

/**
 * Builds a statement that lists the people with the given addresses who are connected to this platform, with
 * preferences, weights and encrypted tokens.
 */
export const listConnectedPeople = (db: Db, { platformId, emails }: { platformId: string; emails: string[] }) =>
  db
    .select(person)
    .from(users)
    .innerJoin(
      connections,
      and(eq(connections.userId, users.id), eq(connections.platformId, platformId), isNull(connections.disconnectedAt)),
    )
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(inArray(users.email, emails));

/** Row of a person as the database returns it. `toPerson` in `lib/person/person.ts` parses it. */
export type PersonRow = Awaited<ReturnType<typeof listConnectedPeople>>[number];

/** Returns SQL for the id of the user with this address if they are connected to the platform, otherwise null. */
export const connectedUser = (platformId: string, email: string) => sql`(
    select u.id from ${users} u
    join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId} and c.disconnected_at is null
    join ${calendarAccounts} a on a.user_id = u.id and a.status = 'connected'
    where u.email = ${email})`;

/** People whose times a request may read: those connected to the platform that asks, or the person who asks. */
export type Readable = { platformId: string; emails: string[] } | { userId: string };

/**
 * Returns SQL for the ids of the people whose times a request may read. Times of other people are never read, because
 * the duration of such a read would tell a platform who uses Tandem and how full their calendar is. The ids are an
 * array that is computed first, so that times are looked up in an index whatever the planner expects of a join.
 */
export const readableIds = (who: Readable) =>
  'userId' in who
    ? sql`array[${who.userId}]`
    : sql`array(
        select c.user_id from ${connections} c join ${users} u on u.id = c.user_id
        where c.platform_id = ${who.platformId} and c.disconnected_at is null and ${inArray(sql`u.email`, who.emails)})`;

/**
 * Builds a statement that locks the two people of a meeting or proposal before their time is reserved exclusively,
 * always in the same order. Each person then has one such reservation in progress at a time. Without the lock, several
 * transactions that wait for a hold (a reserved time) could deadlock when that hold is deleted.
 */
export const lockPeople = (db: Db, of: { meetingId: string } | { proposalId: string }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      inArray(
        users.id,
        'meetingId' in of
          ? sql`(select user_id from ${meetingPeople} where meeting_id = ${of.meetingId})`
          : sql`(select unnest(array[requester_id, other_id]) from ${proposals} where id = ${of.proposalId})`,
      ),
    )
    .orderBy(users.id)
    .for('no key update');

/**
 * Builds a statement that keeps people from being erased until the batch ends. If one of them is being erased, it waits
 * for the end of that, so the following statements know of it. It must come before every other lock of the batch: an
 * erasure locks its person first, and two batches in one order cannot deadlock.
 */
export const keepFromErasure = (db: Db, who: { emails: string[] } | { meetingId: string } | { eventIds: string[] }) =>
  db.select({ id: users.id }).from(users).where(peopleOf(who)).orderBy(users.id).for('key share');

/**
 * Returns a condition for people by address, for the people of a meeting, or for the people of the meetings of some
 * calendar events. A person whom an unfinished update invites to the meeting counts too.
 */
function peopleOf(who: Parameters<typeof keepFromErasure>[1]) {
  if ('emails' in who) return inArray(users.email, who.emails);
  const of = 'meetingId' in who ? sql`m.id = ${who.meetingId}` : sql`m.provider_event_id in ${who.eventIds}`;
  return sql`${users.id} in (
    select p.user_id from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id where ${of}
    union select h.user_id from ${meetings} m join ${holds} h on h.meeting_id = m.id where ${of})`;
}

/**
 * Builds a statement that lists the times of two people's live meetings with each other on this platform. Only meetings
 * that end after a given instant count.
 */
export const listPairTimes = (
  db: Db,
  { platformId, emails: [a, b], since }: { platformId: string; emails: [string, string]; since: number },
) => {
  const other = alias(holds, 'other');
  return db
    .selectDistinct({ meetingId: meetings.id, start: meetings.startsAt, end: meetings.endsAt })
    .from(holds)
    .innerJoin(other, and(eq(other.meetingId, holds.meetingId), eq(other.userId, userIdOf(b))))
    .innerJoin(meetings, and(eq(meetings.id, holds.meetingId), eq(meetings.platformId, platformId)))
    .where(
      and(
        eq(holds.userId, userIdOf(a)),
        sql`${holds.during} && tstzrange(${at(since)}, null)`,
        inArray(meetings.status, [...LIVE_STATUSES]),
      ),
    );
};

/**
 * Builds a statement that lists the times that are reserved for live meetings and open proposals of people whose times
 * the request may read, as far as they overlap [start, end). A meeting under change reserves its old and its new time.
 * The daily limit counts times with the same `takenBy` as one meeting. A platform may see which of these times are its
 * own meetings and its own proposals, and nothing about those of others. `isHeld` is true for a time that a proposal of
 * the platform that asks holds. `isOwn` is true for a meeting of the platform `ownOf`, and always false without `ownOf`.
 */
export const listLiveMeetingTimes = (
  db: Db,
  { who, start, end, ownOf }: { who: Readable; start: number; end: number; ownOf?: string | undefined },
) =>
  db
    .select({
      meetingId: holds.meetingId,
      email: users.email,
      start: sql`extract(epoch from lower(${holds.during})) * 1000`.mapWith(Number),
      end: sql`extract(epoch from upper(${holds.during})) * 1000`.mapWith(Number),
      takenBy: holds.eventId,
      isHeld:
        'userId' in who
          ? sql<boolean>`false`
          : sql<boolean>`exists (select 1 from ${proposals} r where r.id = ${holds.proposalId} and r.platform_id = ${who.platformId})`,
      isOwn:
        ownOf === undefined
          ? sql<boolean>`false`
          : sql<boolean>`exists (select 1 from ${meetings} m where m.id = ${holds.meetingId} and m.platform_id = ${ownOf})`,
    })
    .from(holds)
    .innerJoin(users, eq(users.id, holds.userId))
    .where(
      and(sql`${holds.userId} = any(${readableIds(who)})`, sql`${holds.during} && tstzrange(${at(start)}, ${at(end)})`),
    );
