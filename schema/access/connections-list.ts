import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { platforms } from '../tables/platforms.ts';
import { timeZone, users } from '../tables/users.ts';
import { ofPlatform } from './connections-connect.ts';
import { rulesOfUser } from './standing-rules.ts';

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
  /** Status of the listed people's calendars. */
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

/** Lists the oldest first, after the position of the previous page. */
export const listConnections = (db: Db, page: Page) =>
  db
    .select(shown)
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

/** Has the person's preferences and standing rules. */
export const selectConnection = (db: Db, { platformId, email }: { platformId: string; email: string }) =>
  db
    .select({ ...shown, calendarTimeZone: users.calendarTimeZone, preferences: users.preferences, rules: rulesOfUser })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId))
    .where(and(ofPlatform(platformId), eq(users.email, email)));

const selectUsers = (db: Db) =>
  db
    .select({ ...connection, calendarTimeZone: users.calendarTimeZone, preferences: users.preferences })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, connections.userId));

/** Lists the oldest first, with the preferences of each person. */
export const listConnectedUsers = (db: Db, page: Page) =>
  selectUsers(db)
    .where(isOnPage(page))
    .orderBy(...oldestFirst)
    .limit(page.limit);

/** Has the user's preferences. Returns undefined if there is none. */
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

/** Orders by the platform's name. A connection is current while `disconnectedAt` is null. */
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
