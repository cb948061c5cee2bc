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
import { userIdOf } from '../users/queries.ts';
import { users } from '../users/table.ts';

const person = {
  id: users.id,
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  status: calendarAccounts.status,
  ...readable,
};

/** Statement: one person for themselves, whatever platforms they are connected to. */
export const listOwnPerson = (db: Db, { userId }: { userId: string }) =>
  db
    .select(person)
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));

/** People connected to this platform, with preferences, weights and sealed tokens. */
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

export type ConnectedPerson = Awaited<ReturnType<typeof listConnectedPeople>>[number];

/** The id of the user of this address if they are connected with the platform, else null. */
export const connectedUser = (platformId: string, email: string) => sql`(
    select u.id from ${users} u
    join ${connections} c on c.user_id = u.id and c.platform_id = ${platformId} and c.disconnected_at is null
    join ${calendarAccounts} a on a.user_id = u.id and a.status = 'connected'
    where u.email = ${email})`;

/**
 * Statement, before an exclusive meeting's holds: one such at a time per person, always in the same order. Without it
 * several that wait for a hold which is given up would wait for each other.
 */
export const lockPeople = (db: Db, { meetingId }: { meetingId: string }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, sql`(select user_id from ${meetingPeople} where meeting_id = ${meetingId})`))
    .orderBy(users.id)
    .for('no key update');

/** The times of the two people's live meetings with each other on this platform that end after an instant. */
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
 * The times these people's live meetings hold that touch [start, end); one under change holds its old and its new time.
 * A platform may know of its own alone that they are meetings: which they are is told where `ownOf` names it.
 */
export const listLiveMeetingTimes = (
  db: Db,
  { emails, start, end, ownOf }: { emails: string[]; start: number; end: number; ownOf?: string | undefined },
) =>
  db
    .select({
      meetingId: holds.meetingId,
      email: users.email,
      start: sql`extract(epoch from lower(${holds.during})) * 1000`.mapWith(Number),
      end: sql`extract(epoch from upper(${holds.during})) * 1000`.mapWith(Number),
      isOwn:
        ownOf === undefined
          ? sql<boolean>`false`
          : sql<boolean>`exists (select 1 from ${meetings} m where m.id = ${holds.meetingId} and m.platform_id = ${ownOf})`,
    })
    .from(holds)
    .innerJoin(users, eq(users.id, holds.userId))
    .where(
      and(
        inArray(users.email, emails),
        // Known beforehand, they are looked up in the index whatever the planner thinks of the join.
        sql`${holds.userId} = any(array(select u.id from ${users} u where u.email in ${emails}))`,
        sql`${holds.during} && tstzrange(${at(start)}, ${at(end)})`,
      ),
    );
