import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { connections } from './table.ts';

/** Statement: the user is connected with the platform from now on. */
export function upsertConnection(db: Db, input: { platformId: string; userId: string; now: number }) {
  const { platformId, userId, now } = input;
  const fresh = { connectedAt: now, lastUsedAt: now, disconnectedAt: null };
  return db
    .insert(connections)
    .values({ platformId, userId, ...fresh })
    .onConflictDoUpdate({ target: [connections.platformId, connections.userId], set: fresh });
}

const ofPlatform = (platformId: string) =>
  and(eq(connections.platformId, platformId), isNull(connections.disconnectedAt));

/** The platform's connections, oldest first. */
export const listConnections = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      email: users.email,
      providerId: calendarAccounts.providerId,
      // An account that has ended has no connection left.
      status: sql<'connected' | 'needs_reauthorization'>`${calendarAccounts.status}`,
      connectedAt: connections.connectedAt,
      lastUsedAt: connections.lastUsedAt,
      onboardingCompleted: users.onboardingCompleted,
      preferences: users.preferences,
      calendarTimeZone: users.calendarTimeZone,
    })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(ofPlatform(platformId))
    .orderBy(asc(connections.connectedAt), asc(users.email));

/** Whose connection with this platform goes by this address, or undefined. */
export async function findConnection(db: Db, { platformId, email }: { platformId: string; email: string }) {
  const [connection] = await db
    .select({ userId: connections.userId, providerId: calendarAccounts.providerId })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(users.email, email)));
  return connection;
}

/** Statement: a row if the user of this address ever connected with this platform. */
export const wasEverConnected = (db: Db, { platformId, email }: { platformId: string; email: string }) =>
  db
    .select({ userId: connections.userId })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .where(and(eq(connections.platformId, platformId), eq(users.email, email)));

/** Statement: ends the user's connections with all platforms, for the owner of the account; answers which. */
export const endConnectionsOf = (db: Db, input: { userId: string; owner: string; now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: input.now })
    .where(
      and(
        eq(connections.userId, input.userId),
        isNull(connections.disconnectedAt),
        isClaimedBy(input.userId, input.owner),
      ),
    )
    .returning({ platformId: connections.platformId });

/**
 * Statement: the platform used these people's calendars, kept to the minute. Rows that another writes are skipped, so
 * that no request waits for another here.
 */
export function touchConnections(db: Db, input: { platformId: string; emails: string[]; now: number }) {
  const { platformId, emails, now } = input;
  const written = at(now);
  return db.execute(sql`
    update ${connections} set last_used_at = ${written}
    where (platform_id, user_id) in (
      select c.platform_id, c.user_id from ${connections} c join ${users} u on u.id = c.user_id
      where c.platform_id = ${platformId} and u.email in ${emails}
        and c.disconnected_at is null and c.last_used_at <= ${written} - interval '1 minute'
      for update of c skip locked)`);
}
