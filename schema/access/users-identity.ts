import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { users } from '../tables/users.ts';
import { isKnown } from './users-preferences.ts';

/** The user with the address and that with the account can be nobody, one user or two different users. */
export const findPeople = (
  db: Db,
  { email, providerId, platformId }: { email: string; providerId: string; platformId: string | undefined },
) =>
  db
    .select({
      id: users.id,
      email: users.email,
      providerId: calendarAccounts.providerId,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      // A person who has set nothing and got no suggestion yet.
      isUnset: sql<boolean>`not ${users.onboardingCompleted} and ${users.suggestedBy} is null`,
      status: calendarAccounts.status,
      calendars: calendarAccounts.calendars,
      isKnown: isKnown({ userId: sql`${users.id}`, platformId: platformId ?? '' }),
    })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      sql`${users.id} in (
        select u.id from ${users} u where u.email = ${email}
        union select a.user_id from ${calendarAccounts} a where a.provider_id = ${providerId})`,
    );

/** Only an erased user's part in meetings remains. Who connects again becomes a new user. */
export const isErased = sql`(${users.endedAt} is not null and not exists (
  select 1 from ${calendarAccounts} a where a.user_id = ${users.id}))`;

/** Inserts a user, or updates address and calendar zone. Does nothing for an erased user. */
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

export const hasAddress = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u where u.id = ${userId} and u.email = ${email})`;

/** The address can go to a new owner without ending anybody's access, because Tandem has none. */
export const holdsNothing = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u join calendar_accounts a on a.user_id = u.id
    where u.id = ${userId} and u.email = ${email} and a.status = 'disconnected')`;

/** Replaces the address and sets the time of the deletion. */
export const endUser = (
  db: Db,
  input: { userId: string; email: string; formerAddress: string; now: number; guard?: Guard },
) =>
  db
    .update(users)
    .set({ email: input.formerAddress, endedAt: input.now })
    .where(and(eq(users.id, input.userId), eq(users.email, input.email), input.guard));

export const userIdOf = (email: string | SQL) => sql<string>`(select id from users where email = ${email})`;
