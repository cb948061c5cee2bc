import { and, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';

export const ofPlatform = (platformId: string) =>
  and(eq(connections.platformId, platformId), isNull(connections.disconnectedAt));

export interface Access {
  userId: string;
  platformId: string;
  /** Start of the connection that is meant. A later one is not. */
  connectedAt?: number | undefined;
}

export const isAccess = ({ userId, platformId, connectedAt }: Access) =>
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
