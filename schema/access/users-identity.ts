import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { users } from '../tables/users.ts';

/**
 * Builds a statement that finds the user with this address and the user with this provider account. They can be nobody,
 * one user or two different users.
 */
export const findPeople = (db: Db, { email, providerId }: { email: string; providerId: string }) =>
  db
    .select({
      id: users.id,
      email: users.email,
      providerId: calendarAccounts.providerId,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      status: calendarAccounts.status,
      calendars: calendarAccounts.calendars,
    })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      sql`${users.id} in (
        select u.id from ${users} u where u.email = ${email}
        union select a.user_id from ${calendarAccounts} a where a.provider_id = ${providerId})`,
    );

/**
 * SQL condition that is true if a user is erased, so that only their part in meetings remains. An erased person who
 * connects again becomes a new user.
 */
export const isErased = sql`(${users.endedAt} is not null and not exists (
  select 1 from ${calendarAccounts} a where a.user_id = ${users.id}))`;

/**
 * Builds a statement that inserts a user, or updates an existing user's address and calendar zone. It does nothing for
 * an erased user.
 */
export function saveUser(db: Db, input: { id: string; email: string; calendarTimeZone: string; now: number }) {
  const { now, ...user } = input;
  const { email, calendarTimeZone } = user;
  return db
    .insert(users)
    .values({ ...user, zoneReadAt: now, createdAt: now })
    .onConflictDoUpdate({
      target: users.id,
      set: { email, calendarTimeZone, zoneReadAt: now, endedAt: null },
      setWhere: sql`not ${isErased}`,
    });
}

/** Returns an SQL condition that is true if the user has this address. */
export const hasAddress = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u where u.id = ${userId} and u.email = ${email})`;

/**
 * Returns an SQL condition that is true if the user has this address and Tandem has no access to their calendar. The
 * address can then go to a new owner without ending anybody's access.
 */
export const holdsNothing = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u join calendar_accounts a on a.user_id = u.id
    where u.id = ${userId} and u.email = ${email} and a.status = 'disconnected')`;

/**
 * Builds a statement that marks the user with this address as deleted: it replaces the address and sets the time of the
 * deletion.
 */
export const endUser = (
  db: Db,
  input: { userId: string; email: string; formerAddress: string; now: number; guard?: Guard },
) =>
  db
    .update(users)
    .set({ email: input.formerAddress, endedAt: input.now })
    .where(and(eq(users.id, input.userId), eq(users.email, input.email), input.guard));

/** Returns SQL for the id of the user with this address. */
export const userIdOf = (email: string | SQL) => sql<string>`(select id from users where email = ${email})`;
