import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { busySnapshots, calendarAccounts } from '../tables/calendar-accounts.ts';
import { platforms } from '../tables/platforms.ts';
import { connections, timeZone, users } from '../tables/users.ts';
import { isAccountHeldBy } from './calendar-accounts.ts';
import { rulesOfUser } from './learning.ts';

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

export async function findAccess(db: Db, access: Access) {
  const [found] = await selectUsers(db).where(isAccess(access));
  return found;
}

export const hasAccess = ({ userId, platformId, connectedAt }: Access): Guard =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at is null
    and c.connected_at = ${connectedAt === undefined ? sql`c.connected_at` : at(connectedAt)})`;

const connection = {
  userId: connections.userId,
  email: users.email,
  providerId: calendarAccounts.providerId,
  // A disconnected account has no connections left, so the status of a listed account is never `disconnected`.
  status: sql<'connected' | 'needs_reauthorization'>`${calendarAccounts.status}`,
  connectedAt: connections.connectedAt,
};

/** A consent reads the calendar too, so a later connection counts. Other platforms' reads do not. */
export const lastSyncAt = sql`greatest(${connections.connectedAt}, ${connections.syncedAt})`.mapWith(
  connections.connectedAt,
);

const shown = {
  ...connection,
  lastUsedAt: connections.lastUsedAt,
  lastSyncAt,
  reauthorizationNeededSince: calendarAccounts.reauthorizationNeededSince,
  onboardingCompleted: users.onboardingCompleted,
  timeZone,
};

interface Page {
  platformId: string;
  search?: string | undefined;
  status?: 'connected' | 'needs_reauthorization' | undefined;
  limit: number;
  after: Place | undefined;
}

const isOnPage = ({ platformId, search, status, after }: Page) =>
  and(
    ofPlatform(platformId),
    search === undefined ? undefined : sql`strpos(${users.email}, lower(${search})) > 0`,
    status && eq(calendarAccounts.status, status),
    after && sql`(${connections.connectedAt}, ${connections.userId}) > (${at(after.at)}, ${after.id})`,
  );

const oldestFirst = [asc(connections.connectedAt), asc(connections.userId)];

export const listConnections = (db: Db, page: Page) =>
  db
    .select(shown)
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

export const selectConnection = (db: Db, { platformId, email }: { platformId: string; email: string }) =>
  db
    .select({ ...shown, ...pick(users, 'calendarTimeZone', 'preferences'), rules: rulesOfUser })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(users.email, email)));

const selectUsers = (db: Db) =>
  db
    .select({ ...connection, ...pick(users, 'calendarTimeZone', 'preferences') })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId));

export const listConnectedUsers = (db: Db, page: Page) =>
  selectUsers(db)
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

export async function findConnectedUser(db: Db, { platformId, email }: { platformId: string; email: string }) {
  const [user] = await selectUsers(db).where(and(ofPlatform(platformId), eq(users.email, email)));
  return user;
}

export const countConnections = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ count: count() }).from(connections).where(ofPlatform(platformId));

export const countReauthorizations = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ count: count() })
    .from(connections)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(calendarAccounts.status, 'needs_reauthorization')));

export const listUserConnections = (db: Db, { userId }: { userId: string }) =>
  db
    .select({
      platformId: platforms.id,
      platformName: platforms.name,
      ...pick(connections, 'connectedAt', 'lastUsedAt', 'disconnectedAt'),
    })
    .from(connections)
    .innerJoin(platforms, eq(platforms.id, connections.platformId))
    .where(eq(connections.userId, userId))
    .orderBy(asc(platforms.name), asc(platforms.id));

type Use = { platformId: string | SQL; emails: (string | SQL)[]; now: number };

/** Tandem records use once an hour, so that searches rarely write. */
const isUseDue = ({ platformId, emails, now }: Use) => sql`c.platform_id = ${platformId} and u.email in ${emails}
  and c.disconnected_at is null and c.last_used_at <= ${at(now)} - interval '1 hour'`;

export const selectUseDue = (db: Db, use: Use) =>
  db.execute(sql`
    select c.user_id from ${connections} c join ${users} u on u.id = c.user_id where ${isUseDue(use)}`);

/** Also marks the busy times as in use, so that the sweep reads them soon. Skips locked rows, so that nobody waits. */
export function touchConnections(db: Db, use: Use) {
  const written = at(use.now);
  return db.execute(sql`
    with asked as (
      select c.platform_id, c.user_id from ${connections} c
      join ${users} u on u.id = c.user_id join ${busySnapshots} s on s.user_id = c.user_id
      where ${isUseDue(use)}
      for update of c, s skip locked),
    used as (
      update ${busySnapshots} s set used_at = ${written}, due_at = least(s.due_at, ${written})
      from asked where s.user_id = asked.user_id)
    update ${connections} c set last_used_at = ${written}
    from asked where c.platform_id = asked.platform_id and c.user_id = asked.user_id`);
}
