import { and, eq, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { calendarAccounts } from './table.ts';

interface Claim {
  userId: string;
  owner: string;
}

/** Conditions under which an account may be claimed, read under its row's lock. */
export const refreshedBy = (owner: string) =>
  sql`${calendarAccounts.status} = 'connected' and ${calendarAccounts.refreshOwner} = ${owner}`;
export const needsReauthorizationSince = (latest: number) =>
  sql`${calendarAccounts.status} = 'needs_reauthorization' and ${calendarAccounts.reauthorizationNeededSince} <= ${at(latest)}`;
/** The person themselves ends it. */
export const anyGrant = sql`true`;
/** No platform is left of a person whose connection with this one ended just now. */
export const leftLast = ({ userId, platformId, now }: { userId: string; platformId: string; now: number }) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at = ${at(now)})
    and not exists (select 1 from ${connections} c where c.user_id = ${userId} and c.disconnected_at is null)`;
export const connectedWith = (platformId: string) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${calendarAccounts.userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/**
 * Statement, first in a batch that ends a grant or asks for a new consent: locks the account and takes it for `owner`, if
 * `when` holds. What follows asks `isClaimedBy`; the last one gives it back. Consents wait for the same lock, so that the
 * connections the batch sees are all there are.
 */
export const claimAccount = (db: Db, { userId, owner, when }: Claim & { when: SQL }) =>
  db
    .update(calendarAccounts)
    .set({ refreshOwner: owner })
    .where(and(eq(calendarAccounts.userId, userId), ne(calendarAccounts.status, 'disconnected'), when));

/** Whether the account is in this owner's hands, within the owner's batch. */
export const isClaimedBy = (userId: string, owner: string) =>
  sql`exists (select 1 from calendar_accounts claimed where claimed.user_id = ${userId} and claimed.refresh_owner = ${owner})`;

const released = { refreshOwner: null, refreshLeaseUntil: null };
const mine = ({ userId, owner }: Claim) =>
  and(eq(calendarAccounts.userId, userId), eq(calendarAccounts.refreshOwner, owner));

/** Statement: the user must consent again from now on. */
export const requireReauthorization = (db: Db, { now, ...claim }: Claim & { now: number }) =>
  db
    .update(calendarAccounts)
    .set({
      ...released,
      status: 'needs_reauthorization',
      reauthorizationNeededSince: now,
      generation: sql`${calendarAccounts.generation} + 1`,
      updatedAt: now,
    })
    .where(mine(claim));

/** Statement: the grant has ended; its tokens are gone. */
export const closeAccount = (db: Db, { now, ...claim }: Claim & { now: number }) =>
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
    .where(mine(claim));

/** Statement: locks the user's account, so that its state stays what the next statements see. */
export const lockAccount = (db: Db, userId: string) =>
  db
    .select({ userId: calendarAccounts.userId })
    .from(calendarAccounts)
    .where(eq(calendarAccounts.userId, userId))
    .for('update');

/** Whether the user's grant has ended. */
export const isNotConnected = (userId: string) =>
  sql`exists (select 1 from ${calendarAccounts} a where a.user_id = ${userId} and a.status <> 'connected')`;

/** Accounts that have needed a new consent this long, longest first; none of those already tried. */
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
