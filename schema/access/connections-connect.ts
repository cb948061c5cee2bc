import { and, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';
import { isAccountHeldBy } from './calendar-accounts-lease.ts';

export function upsertConnection(db: Db, input: { platformId: string; userId: string; now: number }) {
  const { platformId, userId, now } = input;
  const fresh = { connectedAt: now, lastUsedAt: now, disconnectedAt: null };
  return db
    .insert(connections)
    .values({ platformId, userId, ...fresh })
    .onConflictDoUpdate({ target: [connections.platformId, connections.userId], set: fresh });
}

/** Returns the platform if it was connected. An earlier statement must have locked the account's row. */
export const endConnection = (db: Db, { now, ...access }: Access & { now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: now })
    .where(isAccess(access))
    .returning({ platformId: connections.platformId });

/** Returns the platforms. Takes effect only if an earlier statement has reserved the account for `owner`. */
export const endConnectionsOf = (db: Db, input: { userId: string; owner: string; now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: input.now })
    .where(
      and(
        eq(connections.userId, input.userId),
        isNull(connections.disconnectedAt),
        isAccountHeldBy(input.userId, input.owner),
      ),
    )
    .returning({ platformId: connections.platformId });

export const ofPlatform = (platformId: string) =>
  and(eq(connections.platformId, platformId), isNull(connections.disconnectedAt));

export interface Access {
  userId: string;
  platformId: string;
  /** Start of the connection that is meant. A later one is not. */
  connectedAt?: number | undefined;
}

const isAccess = ({ userId, platformId, connectedAt }: Access) =>
  and(
    eq(connections.userId, userId),
    ofPlatform(platformId),
    connectedAt === undefined ? undefined : eq(connections.connectedAt, connectedAt),
  );

/** Returns undefined if the platform has no access now. */
export async function findAccess(db: Db, access: Access) {
  const [found] = await db
    .select({ email: users.email, providerId: calendarAccounts.providerId })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(isAccess(access));
  return found;
}

/** Returns an SQL condition that is true if the platform currently has access to the user's calendar. */
export const hasAccess = ({ userId, platformId, connectedAt }: Access): Guard =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at is null
    and c.connected_at = ${connectedAt === undefined ? sql`c.connected_at` : at(connectedAt)})`;
