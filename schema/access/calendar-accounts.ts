import { and, eq, ne, notInArray, type SQL, sql } from 'drizzle-orm';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { busySnapshots, calendarAccounts } from '../tables/calendar-accounts.ts';
import { connections, users } from '../tables/users.ts';

type AccountLease = { userId: string; owner: string };

export const refreshedBy = (owner: string) =>
  sql`${calendarAccounts.status} = 'connected' and ${calendarAccounts.refreshOwner} = ${owner}`;
export const needsReauthorizationSince = (latest: number) =>
  sql`${calendarAccounts.status} = 'needs_reauthorization' and ${calendarAccounts.reauthorizationNeededSince} <= ${at(latest)}`;
/** When the person ends their grant themselves, no further condition applies. */
export const anyGrant = sql`true`;
/** The connection ended at `now`, and the user has no other left. */
export const leftLast = ({ userId, platformId, now }: { userId: string; platformId: string; now: number }) =>
  sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = ${platformId} and c.disconnected_at = ${at(now)})
    and not exists (select 1 from ${connections} c where c.user_id = ${userId} and c.disconnected_at is null)`;

/**
 * Comes first in a batch that ends a grant or asks for a new consent. If `when` holds, it reserves the account for
 * `owner` (`isAccountHeldBy`), and the last statement ends the reservation. It locks the account's row, for which
 * consents wait, so the batch sees all of the person's connections.
 */
export const leaseAccount = (db: Db, { userId, owner, when }: AccountLease & { when: SQL }) =>
  db
    .update(calendarAccounts)
    .set({ refreshOwner: owner })
    .where(and(eq(calendarAccounts.userId, userId), ne(calendarAccounts.status, 'disconnected'), when));

/** An earlier statement of the batch made the reservation. */
export const isAccountHeldBy = (userId: string, owner: string) =>
  sql`exists (select 1 from calendar_accounts a where a.user_id = ${userId} and a.refresh_owner = ${owner})`;

const released = { refreshOwner: null, refreshLeaseUntil: null };
const mine = ({ userId, owner }: AccountLease) =>
  and(eq(calendarAccounts.userId, userId), eq(calendarAccounts.refreshOwner, owner));

/** Does nothing unless `owner` has reserved the account. */
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

/** Deletes the tokens too, if `owner` has reserved the account. */
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

/** The lock keeps other transactions from changing it before the following statements. */
export const lockAccount = (db: Db, userId: string) =>
  db
    .select({ userId: calendarAccounts.userId })
    .from(calendarAccounts)
    .where(eq(calendarAccounts.userId, userId))
    .for('update');

export const isNotConnected = (userId: string) =>
  sql`exists (select 1 from ${calendarAccounts} a where a.user_id = ${userId} and a.status <> 'connected')`;

/** They have waited since `latest` or earlier, the longest first. The caller has just tried those in `except`. */
export const listOverdueReauthorizations = (db: Db, of: { latest: number; limit: number; except: string[] }) =>
  db
    .select({ userId: users.id, email: users.email, providerId: calendarAccounts.providerId })
    .from(calendarAccounts)
    .innerJoin(users, eq(users.id, calendarAccounts.userId))
    .where(and(needsReauthorizationSince(of.latest), notInArray(users.id, of.except)))
    .orderBy(calendarAccounts.reauthorizationNeededSince)
    .limit(of.limit);

export const readable = {
  ...pick(calendarAccounts, 'accessToken', 'accessExpiresAt', 'calendars'),
  mayList: sql<boolean>`coalesce(strpos(${calendarAccounts.scope}, 'calendar.calendarlist.readonly') > 0, false)`,
};

export async function findReader(db: Db, userId: string) {
  const [reader] = await db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status, ...readable })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));
  return reader;
}

type Blocking = { calendars: string; marks: string[] };

/** Changes nothing if another request has saved since `former` was read. Must be the first statement in its batch. */
export const saveCalendars = (db: Db, of: Blocking & { userId: string; former: string | null }) =>
  db
    .update(calendarAccounts)
    .set({ calendars: of.calendars, calendarMarks: of.marks })
    .where(
      and(eq(calendarAccounts.userId, of.userId), sql`${calendarAccounts.calendars} is not distinct from ${of.former}`),
    )
    .returning({ userId: calendarAccounts.userId });

/**
 * Must follow `saveCalendars` in its batch. If that changed the calendars, the stored busy times become stale, and a
 * read and a check of the watch channels are due now.
 */
export const markReaderDirty = (db: Db, of: Pick<Blocking, 'calendars'> & { userId: string; now: number }) =>
  db
    .update(busySnapshots)
    .set({ dirtyGen: sql`${busySnapshots.dirtyGen} + 1`, dueAt: of.now, watchAt: of.now })
    .where(
      and(
        eq(busySnapshots.userId, of.userId),
        sql`exists (select 1 from calendar_accounts a where a.user_id = ${of.userId} and a.calendars = ${of.calendars})`,
      ),
    );

/** Keeps the stored calendars if another request has changed them since the caller read `former`. */
export const unlessChanged = ({ calendars, marks }: Blocking, former: string | null) => {
  const { calendars: stored, calendarMarks } = calendarAccounts;
  const isFormer = sql`${stored} is not distinct from ${former}`;
  return {
    calendars: sql`case when ${isFormer} then ${calendars} else ${stored} end`,
    calendarMarks: sql`case when ${isFormer} then ${sql.param(marks, calendarMarks)} else ${calendarMarks} end`,
  };
};
