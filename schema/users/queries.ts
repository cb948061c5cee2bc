import { eq, sql } from 'drizzle-orm';
import type { PreferencesRequest } from '../api/user.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { users } from './table.ts';

/** The user of this address, in lower case, or undefined. */
export async function findUserByEmail(db: Db, email: string) {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
    })
    .from(users)
    .where(eq(users.email, email));
  return user;
}

/** The user of this id with the state of the calendar, or undefined. */
export async function findUserWithAccount(db: Db, id: string) {
  const [user] = await db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status })
    .from(users)
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, id));
  return user;
}

/** How a user's calendar stands with one platform; undefined when they never connected. */
export async function findUserStatus(db: Db, input: { platformId: string; email: string }) {
  const [status] = await db
    .select({
      email: users.email,
      accountStatus: calendarAccounts.status,
      lastSyncAt: calendarAccounts.lastSyncAt,
      disconnectedAt: connections.disconnectedAt,
    })
    .from(users)
    .innerJoin(
      connections,
      sql`${connections.userId} = ${users.id} and ${connections.platformId} = ${input.platformId}`,
    )
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.email, input.email));
  return status;
}

/** Statement: the user of this address, made or given the zone just read; answers the id that holds. */
export function upsertUser(db: Db, input: { id: string; email: string; calendarTimeZone: string; now: number }) {
  const { now, ...user } = input;
  return db
    .insert(users)
    .values({ ...user, createdAt: now })
    .onConflictDoUpdate({ target: users.email, set: { calendarTimeZone: user.calendarTimeZone } })
    .returning({ id: users.id });
}

/** The id of the user of this address, for statements in the batch that makes the user. */
export const userIdOf = (email: string) => sql<string>`(select id from users where email = ${email})`;

const shown = {
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  onboardingCompleted: users.onboardingCompleted,
  createdAt: users.createdAt,
};

/** A user with what they set; undefined for an id that is no user's. */
export async function findPreferences(db: Db, userId: string) {
  const [user] = await db.select(shown).from(users).where(eq(users.id, userId));
  return user;
}

/** Statement: lays the given fields over what is stored, work hours day by day; answers the whole. */
export function mergePreferences(db: Db, { userId, given }: { userId: string; given: PreferencesRequest }) {
  const { work_hours: days, ...fields } = given;
  const merged = sql`${users.preferences} || ${JSON.stringify(fields)}::jsonb`;
  const withDays = sql`${merged} || jsonb_build_object('work_hours',
    coalesce(${users.preferences} -> 'work_hours', '{}'::jsonb) || ${JSON.stringify(days)}::jsonb)`;
  return db
    .update(users)
    .set({
      preferences: days === undefined ? merged : withDays,
      ...(Object.keys(given).length === 0 ? {} : { onboardingCompleted: true }),
    })
    .where(eq(users.id, userId))
    .returning(shown);
}
