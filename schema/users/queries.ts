import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PreferencesRequest } from '../api/preferences.ts';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { lastSyncAt } from '../connections/queries.ts';
import { connections } from '../connections/table.ts';
import type { Db, Guard } from '../db.ts';
import { users } from './table.ts';

/** Who has this address, and who this account at the provider: nobody, one person, or two. */
export const findPeople = (db: Db, { email, providerId }: { email: string; providerId: string }) =>
  db
    .select({
      id: users.id,
      email: users.email,
      providerId: calendarAccounts.providerId,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      calendars: calendarAccounts.calendars,
    })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      sql`${users.id} in (
        select u.id from ${users} u where u.email = ${email}
        union select a.user_id from ${calendarAccounts} a where a.provider_id = ${providerId})`,
    );

/** Statement, first in a batch that decides by what the user has: one such batch at a time per user. */
export const lockUser = (db: Db, userId: string) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

/** How a user's calendar stands with one platform; undefined when they never connected. */
export async function findUserStatus(db: Db, input: { platformId: string; email: string }) {
  const [status] = await db
    .select({
      email: users.email,
      accountStatus: calendarAccounts.status,
      lastSyncAt,
      disconnectedAt: connections.disconnectedAt,
    })
    .from(users)
    .innerJoin(
      connections,
      sql`${connections.userId} = ${users.id} and ${connections.platformId} = ${input.platformId}`,
    )
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .leftJoin(busySnapshots, eq(busySnapshots.userId, users.id))
    .where(eq(users.email, input.email));
  return status;
}

/** Nothing is left of the person but that they were in a meeting; whoever comes back is somebody new. */
export const isErased = sql`(${users.endedAt} is not null and not exists (
  select 1 from ${calendarAccounts} a where a.user_id = ${users.id}))`;

/** Statement: a new user, or one there is under the address and in the zone they have now; nothing for one erased. */
export function saveUser(db: Db, input: { id: string; email: string; calendarTimeZone: string; now: number }) {
  const { now, ...user } = input;
  const { email, calendarTimeZone } = user;
  return db
    .insert(users)
    .values({ ...user, createdAt: now })
    .onConflictDoUpdate({
      target: users.id,
      set: { email, calendarTimeZone, endedAt: null },
      setWhere: sql`not ${isErased}`,
    });
}

/** While the user goes by this address. */
export const hasAddress = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u where u.id = ${userId} and u.email = ${email})`;

/** Statement: the user goes by this address no more, and nobody is this user from now on. */
export const endUser = (db: Db, input: { userId: string; email: string; formerAddress: string; now: number }) =>
  db
    .update(users)
    .set({ email: input.formerAddress, endedAt: input.now })
    .where(and(eq(users.id, input.userId), eq(users.email, input.email)));

/** The id of the user of this address. */
export const userIdOf = (email: string) => sql<string>`(select id from users where email = ${email})`;

const shown = {
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  onboardingCompleted: users.onboardingCompleted,
  createdAt: users.createdAt,
};

/** By which clock the person of this address lives. */
export async function findClock(db: Db, email: string) {
  const [clock] = await db
    .select({ calendarTimeZone: users.calendarTimeZone, preferences: users.preferences })
    .from(users)
    .where(eq(users.email, email));
  return clock;
}

/** A user with what they set; undefined when there is none of this id, or no more. */
export async function findPreferences(db: Db, userId: string) {
  const [user] = await db
    .select(shown)
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
  return user;
}

/** Statement: who a user is, with what reading their calendars needs; a grant that was never given has no status. */
export const selectOwner = (db: Db, userId: string) =>
  db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status, ...readable })
    .from(users)
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

/** A user with what they set and what their calendar's grant is; undefined when there is none of this id, or no more. */
export async function findWholeUser(db: Db, userId: string) {
  const { providerId, status, scope, calendars } = calendarAccounts;
  const [user] = await db
    .select({ ...shown, id: users.id, providerId, status, scope, calendars })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
  return user;
}

/** What of a user's preferences is to change; a zone of null is none of theirs, so that their calendar's holds again. */
export type PreferencesChange = Omit<PreferencesRequest, 'timezone'> & { timezone?: string | null | undefined };

/** Statement: lays the given fields over what is stored, work hours day by day; answers the whole. */
export function mergePreferences(db: Db, { userId, given }: { userId: string; given: PreferencesChange }) {
  const { work_hours: days, ...fields } = given;
  const kept = given.timezone === null ? sql`${users.preferences} - 'timezone'` : users.preferences;
  const set = JSON.stringify({ ...fields, timezone: fields.timezone ?? undefined });
  const merged = sql`${kept} || ${set}::jsonb`;
  const withDays = sql`${merged} || jsonb_build_object('work_hours',
    coalesce(${users.preferences} -> 'work_hours', '{}'::jsonb) || ${JSON.stringify(days)}::jsonb)`;
  return db
    .update(users)
    .set({
      preferences: days === undefined ? merged : withDays,
      ...(Object.keys(given).length === 0 ? {} : { onboardingCompleted: true }),
    })
    .where(and(eq(users.id, userId), isNull(users.endedAt)))
    .returning(shown);
}
