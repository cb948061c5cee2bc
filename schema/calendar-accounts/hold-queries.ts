import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { userIdOf } from '../users/queries.ts';
import { users } from '../users/table.ts';
import { calendarAccounts } from './table.ts';

interface Held {
  userId: string;
  owner: string;
}

/** Conditions under which an account may be held, read under its row's lock. */
export const refreshedBy = (owner: string) =>
  sql`${calendarAccounts.status} = 'connected' and ${calendarAccounts.refreshOwner} = ${owner}`;
export const inOutageSince = (latest: number) =>
  sql`${calendarAccounts.status} = 'needs_reauthorization' and ${calendarAccounts.outageSince} <= ${at(latest)}`;
export const connectedWith = (platformId: string) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${calendarAccounts.userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/**
 * Statement, first in a batch that ends a grant or begins an outage: locks the account and takes it for `owner`, if
 * `when` holds. What follows asks `isHeldBy`; the last one gives it back. Consents wait for the same lock, so that the
 * connections the batch sees are all there are.
 */
export const holdAccount = (db: Db, { userId, owner, when }: Held & { when: SQL }) =>
  db
    .update(calendarAccounts)
    .set({ refreshOwner: owner })
    .where(and(eq(calendarAccounts.userId, userId), ne(calendarAccounts.status, 'disconnected'), when));

/** Whether the account is in this owner's hands, within the owner's batch. */
export const isHeldBy = (userId: string, owner: string) =>
  sql`exists (select 1 from calendar_accounts held where held.user_id = ${userId} and held.refresh_owner = ${owner})`;

const given = { refreshOwner: null, refreshLeaseUntil: null };
const held = ({ userId, owner }: Held) =>
  and(eq(calendarAccounts.userId, userId), eq(calendarAccounts.refreshOwner, owner));

/** Statement: the user must consent again from now on. */
export const beginOutage = (db: Db, { now, ...hold }: Held & { now: number }) =>
  db
    .update(calendarAccounts)
    .set({
      ...given,
      status: 'needs_reauthorization',
      outageSince: now,
      generation: sql`${calendarAccounts.generation} + 1`,
      updatedAt: now,
    })
    .where(held(hold));

/** Statement: the grant has ended; its tokens are gone. */
export const closeAccount = (db: Db, { now, ...hold }: Held & { now: number }) =>
  db
    .update(calendarAccounts)
    .set({
      ...given,
      status: 'disconnected',
      refreshToken: null,
      accessToken: null,
      accessExpiresAt: null,
      outageSince: null,
      updatedAt: now,
    })
    .where(held(hold));

/** Statement: locks the account of this address, so that its state stays what the next statements see. */
export const lockAccount = (db: Db, email: string) =>
  db
    .select({ userId: calendarAccounts.userId })
    .from(calendarAccounts)
    .where(eq(calendarAccounts.userId, userIdOf(email)))
    .for('update');

/** Whether the grant of this address has ended. */
export const isNotConnected = (email: string) =>
  sql`exists (select 1 from ${calendarAccounts} a where a.user_id = ${userIdOf(email)} and a.status <> 'connected')`;

/** Accounts whose outage began this long ago, longest first. */
export const listLongOutages = (db: Db, { latest, limit }: { latest: number; limit: number }) =>
  db
    .select({ userId: users.id, email: users.email, providerId: calendarAccounts.providerId })
    .from(calendarAccounts)
    .innerJoin(users, eq(users.id, calendarAccounts.userId))
    .where(inOutageSince(latest))
    .orderBy(calendarAccounts.outageSince)
    .limit(limit);
