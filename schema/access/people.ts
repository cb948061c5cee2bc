import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { isOnEventOf, meetingPeople, meetings, SPAN } from '../tables/meetings.ts';
import { holds, proposals } from '../tables/proposals.ts';
import { connections, users } from '../tables/users.ts';
import { readable } from './calendar-accounts.ts';
import { rulesOfUser } from './learning.ts';
import { userIdOf } from './users.ts';

export type Invited = { platformId: string; email: string };

export const isConnectedTo = (userId: SQL, platformId: SQL | string): SQL => sql`exists (
  select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/**
 * A meeting may take the time of a person (row `p` of `meeting_people`) if they and the organizer are connected to its
 * platform now. A platform may not take the time of anybody else. And nobody follows the calendar of an organizer who
 * is not connected, so the event may be moved or gone, and only the other person's own calendar knows what stands. So
 * it does of an event that somebody stretched beyond a day, which is 25 hours when the clocks go back.
 */
export const mayTakeTime: SQL = sql`(${isConnectedTo(sql`p.user_id`, sql`p.platform_id`)} and exists (
  select 1 from meetings y where y.id = p.meeting_id and y.ends_at <= y.starts_at + interval '25 hours' and ${isConnectedTo(sql`y.organizer_id`, sql`y.platform_id`)}))`;

/**
 * A meeting takes the time of a person (row `p` of `meeting_people`) unless they declined it or were taken off its
 * event. Only their calendar reverses that. An accepted proposal to move the meeting does not, because its platform may
 * have accepted it, or nobody when it expired.
 */
export const takesTime: SQL = sql`(${mayTakeTime} and not exists (
  select 1 from event_answers x join meetings y on y.provider_event_id = x.event_id
  where y.id = p.meeting_id and x.user_id = p.user_id and (x.removed or x.response_status = 'declined')))`;

/** A guest who was not erased: the meeting can be changed although they are not connected. */
export const mayBeAbsent = (p: 'q' | 'meeting_people'): SQL =>
  sql`(${sql.raw(p)}.is_guest and not exists (
    select 1 from ${users} e where e.id = ${sql.raw(p)}.user_id and e.ended_at is not null))`;

export const guestId = ({ platformId, email }: Invited): SQL => sql`(
  select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email})`;

const everConnected = ({ platformId, email }: Invited): SQL => sql`(
  select u.id from ${users} u join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId}
  where u.email = ${email})`;

export const knownPerson = (invited: Invited): SQL => sql`coalesce(${everConnected(invited)}, ${guestId(invited)})`;

export const selectKnown = (db: Db, invited: Invited) =>
  db.execute(sql`select 1 from ${users} u where u.id = ${knownPerson(invited)}`);

/** The row of `users` is called `u`. The platform means a person with the address, or its own guest. */
export const isInvited = ({ platformId, email }: Invited): SQL => sql`(u.ended_at is null and (
  u.email = ${email} or (u.guest_of = ${platformId} and u.guest_email = ${email})))`;

/**
 * Batches about one address on one platform run in turn. Invitations of a person who is not connected begin with this,
 * and so does that person's consent, so the later batch sees the result of the earlier.
 */
export const lockInvited = (db: Db, { platformId, email }: Invited) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`guest ${platformId} ${email}`}, 0))`);

/** Does nothing if the platform knows the person. `address` is the made-up one for the column `email`. */
export const insertGuest = (
  db: Db,
  { id, address, now, ...invited }: Invited & { id: string; address: string; now: number },
) =>
  db.execute(sql`
    insert into ${users} (id, email, guest_of, guest_email, created_at)
    select ${id}::text, ${address}::text, ${invited.platformId}::text, ${invited.email}::text, ${at(now)}
    where ${knownPerson(invited)} is null
    on conflict do nothing`);

const person = {
  ...pick(users, 'id', 'email', 'calendarTimeZone', 'zoneReadAt', 'preferences', 'weights'),
  rules: rulesOfUser,
  status: calendarAccounts.status,
  ...readable,
};

/** The person makes the request and need not be connected to any platform. */
export const listOwnPerson = (db: Db, { userId }: { userId: string }) =>
  db
    .select(person)
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));

/** The requester is first. SQL finds the two in a row such as a job's, so one batch can take it and load its people. */
export type PairOfPlatform = { platformId: string | SQL; emails: [string | SQL, string | SQL] };

export const listConnectedPeople = (db: Db, { platformId, emails }: PeopleOfPlatform) =>
  db
    .select(person)
    .from(users)
    .innerJoin(
      connections,
      and(eq(connections.userId, users.id), eq(connections.platformId, platformId), isNull(connections.disconnectedAt)),
    )
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(inArray(sql`${users.email}`, emails));

type PeopleOfPlatform = { platformId: string | SQL; emails: (string | SQL)[] };

/** `toPerson` in `lib/person/person.ts` parses it. */
export type PersonRow = Awaited<ReturnType<typeof listConnectedPeople>>[number];

export const connectedUser = (platformId: string, email: string) => sql`(
    select u.id from ${users} u
    join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId} and c.disconnected_at is null
    join ${calendarAccounts} a on a.user_id = u.id and a.status = 'connected'
    where u.email = ${email})`;

export const calendarIsOpen = (userId: SQL): SQL =>
  sql`exists (select 1 from ${calendarAccounts} a where a.user_id = ${userId} and a.status = 'connected')`;

/** The people are connected to the platform that asks, or are the one who asks. */
export type Readable = PeopleOfPlatform | { userId: string };

/**
 * Leaves out people who are not connected to the platform: the duration of a read would tell it that they use Tandem
 * and how full their calendar is. Postgres takes the ids first, as an array, so that it always uses an index.
 */
export const readableIds = (who: Readable) =>
  'userId' in who
    ? sql`array[${who.userId}]`
    : sql`array(
        select c.user_id from ${connections} c join ${users} u on u.id = c.user_id
        where c.platform_id = ${who.platformId} and c.disconnected_at is null and ${inArray(sql`u.email`, who.emails)})`;

/**
 * Locks always in the same order, before time is reserved exclusively, so only one such reservation of a person is in
 * progress. Otherwise transactions that wait for the same reserved time could deadlock when it is freed.
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
 * Waits for an erasure in progress, so the following statements see its result. Must come before every other lock of
 * the batch: an erasure locks its person first too, and batches that lock in the same order cannot deadlock.
 */
export const keepFromErasure = (
  db: Db,
  who: { emails: string[]; platformId?: string } | { meetingId: string } | { onEventsOf: string[] },
) => db.select({ id: users.id }).from(users).where(peopleOf(who)).orderBy(users.id).for('key share');

/** With `platformId`, addresses also select its guests. A meeting also selects whom its unfinished update invites. */
function peopleOf(who: Parameters<typeof keepFromErasure>[1]) {
  if ('emails' in who) {
    const { emails, platformId } = who;
    if (platformId === undefined) return inArray(users.email, emails);
    return or(inArray(users.email, emails), and(eq(users.guestOf, platformId), inArray(users.guestEmail, emails)));
  }
  const of = 'meetingId' in who ? sql`m.id = ${who.meetingId}` : isOnEventOf(who.onEventsOf);
  return sql`${users.id} in (
    select p.user_id from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id where ${of}
    union select h.user_id from ${meetings} m join ${holds} h on h.meeting_id = m.id where ${of})`;
}

export const listPairTimes = (db: Db, { platformId, emails: [a, b], since }: PairOfPlatform & { since: number }) => {
  const other = alias(holds, 'other');
  return db
    .selectDistinct({ meetingId: meetings.id, ...SPAN })
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
 * Lists the times that are reserved for people from `start` to `end`, or all after `start` if `end` is null, for live
 * meetings and open proposals. Reads only people whose times the request may read. A platform learns which of the times
 * are its own, and nothing about the others.
 * - A meeting that is being changed reserves its old and its new time.
 * - `takenBy` is the same for all times of one meeting or proposal, so that the daily limit counts them as one meeting.
 * - `isHeld` is true if an open proposal of the platform that asks reserves the time.
 * - `isOwn` is true if a meeting or an open proposal of the platform that asks takes the time. If the person asks, all
 *   of their meetings are their own.
 * - `isMeeting` is false if only an open proposal reserves the time.
 */
export const listLiveMeetingTimes = (db: Db, of: { who: Readable; start: number; end: number | null }) => {
  const isMeeting = sql<boolean>`(${holds.meetingId} is not null)`;
  const isHeld =
    'userId' in of.who
      ? sql<boolean>`false`
      : sql<boolean>`exists (select 1 from ${proposals} r where r.id = ${holds.proposalId} and r.platform_id = ${of.who.platformId})`;
  return db
    .select({
      ...pick(holds, 'meetingId', 'userId'),
      email: users.email,
      start: sql`extract(epoch from lower(${holds.during})) * 1000`.mapWith(Number),
      end: sql`extract(epoch from upper(${holds.during})) * 1000`.mapWith(Number),
      takenBy: holds.eventId,
      isHeld,
      isOwn:
        'userId' in of.who
          ? isMeeting
          : sql<boolean>`(${isHeld} or exists (select 1 from ${meetings} m where m.id = ${holds.meetingId} and m.platform_id = ${of.who.platformId}))`,
      isMeeting,
    })
    .from(holds)
    .innerJoin(users, eq(users.id, holds.userId))
    .where(
      and(
        sql`${holds.userId} = any(${readableIds(of.who)})`,
        sql`${holds.during} && tstzrange(${at(of.start)}, ${of.end === null ? null : at(of.end)})`,
      ),
    );
};
