import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { platforms } from '../platforms/table.ts';
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

const connection = {
  userId: connections.userId,
  email: users.email,
  providerId: calendarAccounts.providerId,
  // An account that has ended has no connection left.
  status: sql<'connected' | 'needs_reauthorization'>`${calendarAccounts.status}`,
  connectedAt: connections.connectedAt,
  calendarTimeZone: users.calendarTimeZone,
};

/** When the calendar was last read for its snapshot, which tells nothing of who asked; the consent read it first. */
export const lastSyncAt = sql`greatest(${connections.connectedAt}, ${busySnapshots.readAt})`.mapWith(
  connections.connectedAt,
);

interface Page {
  platformId: string;
  /** A part of their addresses. */
  search?: string | undefined;
  limit: number;
  after: Place | undefined;
}

const isOnPage = ({ platformId, search, after }: Page) =>
  and(
    ofPlatform(platformId),
    search === undefined ? undefined : sql`strpos(${users.email}, lower(${search})) > 0`,
    after && sql`(${connections.connectedAt}, ${connections.userId}) > (${at(after.at)}, ${after.id})`,
  );

const oldestFirst = [asc(connections.connectedAt), asc(connections.userId)];

/** Statement: the platform's connections, oldest first, some at a time, from after the given one. */
export const listConnections = (db: Db, page: Page) =>
  db
    .select({
      ...connection,
      lastUsedAt: connections.lastUsedAt,
      lastSyncAt,
      reauthorizationNeededSince: calendarAccounts.reauthorizationNeededSince,
      onboardingCompleted: users.onboardingCompleted,
      setTimeZone: sql<string | null>`${users.preferences} ->> 'timezone'`,
    })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .leftJoin(busySnapshots, eq(busySnapshots.userId, connections.userId))
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

/** Statement: the same with what each person set. */
export const listConnectedUsers = (db: Db, page: Page) =>
  db
    .select({ ...connection, preferences: users.preferences })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

/** The connection of this address with the platform and what the person set, or undefined. */
export async function findConnectedUser(db: Db, { platformId, email }: { platformId: string; email: string }) {
  const [user] = await db
    .select({ ...connection, preferences: users.preferences })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(users.email, email)));
  return user;
}

/** Statement: how many people are connected with the platform. */
export const countConnections = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ count: count() }).from(connections).where(ofPlatform(platformId));

/** Statement: how many of the people connected with the platform must consent again. */
export const countReauthorizations = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ count: count() })
    .from(connections)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(calendarAccounts.status, 'needs_reauthorization')));

/** Every platform a user ever connected with, in order of their names; connected now while `disconnectedAt` is null. */
export const listUserConnections = (db: Db, { userId }: { userId: string }) =>
  db
    .select({
      platformId: platforms.id,
      platformName: platforms.name,
      connectedAt: connections.connectedAt,
      lastUsedAt: connections.lastUsedAt,
      disconnectedAt: connections.disconnectedAt,
    })
    .from(connections)
    .innerJoin(platforms, eq(platforms.id, connections.platformId))
    .where(eq(connections.userId, userId))
    .orderBy(asc(platforms.name), asc(platforms.id));

interface Access {
  userId: string;
  platformId: string;
}

const isAccess = ({ userId, platformId }: Access) => and(eq(connections.userId, userId), ofPlatform(platformId));

/** Whose account it is that the platform has access to now, or undefined. */
export async function findAccess(db: Db, access: Access) {
  const [found] = await db
    .select({ email: users.email, providerId: calendarAccounts.providerId })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(isAccess(access));
  return found;
}

/** While the platform has access. */
export const hasAccess = ({ userId, platformId }: Access): Guard =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at is null)`;

/** Statement, behind the account's lock: ends this connection and no other; answers it if there was one. */
export const endConnection = (db: Db, { now, ...access }: Access & { now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: now })
    .where(isAccess(access))
    .returning({ platformId: connections.platformId });

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
 * Statement: the platform asked for these people, kept to the hour, so that searches write next to nothing; their calendars are
 * read at the next tick and count as used. Rows that another writes are skipped, so that no request waits for another here.
 */
export function touchConnections(db: Db, input: { platformId: string; emails: string[]; now: number }) {
  const { platformId, emails, now } = input;
  const written = at(now);
  return db.execute(sql`
    with asked as (
      select c.platform_id, c.user_id from ${connections} c
      join ${users} u on u.id = c.user_id join ${busySnapshots} s on s.user_id = c.user_id
      where c.platform_id = ${platformId} and u.email in ${emails}
        and c.disconnected_at is null and c.last_used_at <= ${written} - interval '1 hour'
      for update of c, s skip locked),
    used as (
      update ${busySnapshots} s set used_at = ${written}, due_at = least(s.due_at, ${written})
      from asked where s.user_id = asked.user_id)
    update ${connections} c set last_used_at = ${written}
    from asked where c.platform_id = asked.platform_id and c.user_id = asked.user_id`);
}
