import { and, eq, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';

interface AccountLease {
  userId: string;
  owner: string;
}

/**
 * Returns an SQL condition that is true if the account is connected and the process `owner` alone may refresh its
 * tokens now.
 */
export const refreshedBy = (owner: string) =>
  sql`${calendarAccounts.status} = 'connected' and ${calendarAccounts.refreshOwner} = ${owner}`;
export const needsReauthorizationSince = (latest: number) =>
  sql`${calendarAccounts.status} = 'needs_reauthorization' and ${calendarAccounts.reauthorizationNeededSince} <= ${at(latest)}`;
/**
 * SQL condition that is true for every account. It is used when the person ends their calendar grant themselves,
 * because then no further condition applies.
 */
export const anyGrant = sql`true`;
/**
 * Returns an SQL condition that is true if the user's connection to this platform ended at `now` and the user has no
 * other connection left.
 */
export const leftLast = ({ userId, platformId, now }: { userId: string; platformId: string; now: number }) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at = ${at(now)})
    and not exists (select 1 from ${connections} c where c.user_id = ${userId} and c.disconnected_at is null)`;
export const connectedWith = (platformId: string) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${calendarAccounts.userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/**
 * Builds the first statement of a batch that ends a calendar grant or asks for a new consent. If the condition `when`
 * holds, it reserves the account for `owner`, which later statements check with `isAccountHeldBy`. It also locks the
 * account's row, for which consents wait, so the batch sees all of the person's connections. The last statement of the
 * batch ends the reservation.
 */
export const leaseAccount = (db: Db, { userId, owner, when }: AccountLease & { when: SQL }) =>
  db
    .update(calendarAccounts)
    .set({ refreshOwner: owner })
    .where(and(eq(calendarAccounts.userId, userId), ne(calendarAccounts.status, 'disconnected'), when));

/**
 * Returns an SQL condition that is true if an earlier statement of the batch has reserved the user's calendar account
 * for `owner`.
 */
export const isAccountHeldBy = (userId: string, owner: string) =>
  sql`exists (select 1 from calendar_accounts a where a.user_id = ${userId} and a.refresh_owner = ${owner})`;

const released = { refreshOwner: null, refreshLeaseUntil: null };
const mine = ({ userId, owner }: AccountLease) =>
  and(eq(calendarAccounts.userId, userId), eq(calendarAccounts.refreshOwner, owner));

/**
 * Builds a statement that marks a user's calendar account as needing a new consent, if `owner` has reserved the
 * account.
 */
export const requireReauthorization = (db: Db, { now, ...lease }: AccountLease & { now: number }) =>
  db
    .update(calendarAccounts)
    .set({
      ...released,
      status: 'needs_reauthorization',
      reauthorizationNeededSince: now,
      generation: sql`${calendarAccounts.generation} + 1`,
      updatedAt: now,
    })
    .where(mine(lease));

/**
 * Builds a statement that ends the grant of a calendar account and deletes its tokens, if `owner` has reserved the
 * account.
 */
export const closeAccount = (db: Db, { now, ...lease }: AccountLease & { now: number }) =>
  db
    .update(calendarAccounts)
    .set({
      ...released,
      status: 'disconnected',
      refreshToken: null,
      accessToken: null,
      accessExpiresAt: null,
      reauthorizationNeededSince: null,
      updatedAt: now,
    })
    .where(mine(lease));

/**
 * Builds a statement that locks the user's account, so that no other transaction changes it before the following
 * statements.
 */
export const lockAccount = (db: Db, userId: string) =>
  db
    .select({ userId: calendarAccounts.userId })
    .from(calendarAccounts)
    .where(eq(calendarAccounts.userId, userId))
    .for('update');

/** Returns an SQL condition that is true if the user's account exists and is not connected. */
export const isNotConnected = (userId: string) =>
  sql`exists (select 1 from ${calendarAccounts} a where a.user_id = ${userId} and a.status <> 'connected')`;

/**
 * Builds a statement that lists accounts that have needed a new consent since `latest` or earlier, the longest waiting
 * first. Leaves out the users in `except`, whose connections the caller has just tried to end.
 */
export const listOverdueReauthorizations = (
  db: Db,
  { latest, limit, except }: { latest: number; limit: number; except: string[] },
) =>
  db
    .select({ userId: users.id, email: users.email, providerId: calendarAccounts.providerId })
    .from(calendarAccounts)
    .innerJoin(users, eq(users.id, calendarAccounts.userId))
    .where(and(needsReauthorizationSince(latest), notInArray(users.id, except)))
    .orderBy(calendarAccounts.reauthorizationNeededSince)
    .limit(limit);
