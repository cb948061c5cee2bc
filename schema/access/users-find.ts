import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';
import { readable } from './calendar-accounts-blocking.ts';
import { lastSyncAt } from './connections-list.ts';
import { rulesOfUser } from './standing-rules.ts';

/** Must come first in a batch that depends on the user's data, so that these run one at a time per user. */
export const lockUser = (db: Db, userId: string) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

/** Returns undefined if the user never connected to it. */
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
    .where(eq(users.email, input.email));
  return status;
}

export const shown = {
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  rules: rulesOfUser,
  onboardingCompleted: users.onboardingCompleted,
  createdAt: users.createdAt,
};

/** The status is null if the user never gave a grant. */
export const selectUser = (db: Db, userId: string) =>
  db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status, ...readable })
    .from(users)
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

/** Returns no row for a deleted user. */
export const selectHabits = (db: Db, userId: string) =>
  db
    .select({
      email: users.email,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      rules: rulesOfUser,
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

/** Returns undefined for an unknown or deleted user. */
export async function findWholeUser(db: Db, userId: string) {
  const { providerId, status, scope, calendars } = calendarAccounts;
  const [user] = await db
    .select({ ...shown, id: users.id, providerId, status, scope, calendars })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
  return user;
}
