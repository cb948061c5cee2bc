import { and, eq, sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { calendarAccounts } from './table.ts';

/** Account columns that are needed to read the person's calendars. */
export const readable = {
  accessToken: calendarAccounts.accessToken,
  accessExpiresAt: calendarAccounts.accessExpiresAt,
  calendars: calendarAccounts.calendars,
  /** True if the person's consent lets Tandem read their list of calendars. */
  mayList: sql<boolean>`coalesce(strpos(${calendarAccounts.scope}, 'calendar.calendarlist.readonly') > 0, false)`,
};

/**
 * Finds a user with the account columns that are needed to read their calendars. Returns undefined for a user without
 * an account.
 */
export async function findReader(db: Db, userId: string) {
  const [reader] = await db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status, ...readable })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));
  return reader;
}

interface Blocking {
  calendars: string;
  marks: string[];
}

/**
 * Builds a statement that stores the calendars that block the person's time. Changes nothing if the stored calendars
 * are no longer `former`, which the caller read earlier. It must be the first statement in its batch.
 */
export const saveCalendars = (
  db: Db,
  { userId, former, calendars, marks }: Blocking & { userId: string; former: string | null },
) =>
  db
    .update(calendarAccounts)
    .set({ calendars, calendarMarks: marks })
    .where(and(eq(calendarAccounts.userId, userId), sql`${calendarAccounts.calendars} is not distinct from ${former}`))
    .returning({ userId: calendarAccounts.userId });

/**
 * Builds a statement that must follow `saveCalendars` in its batch. If `saveCalendars` took effect, this statement
 * marks the user's stored busy times as stale. It also makes a read of the calendars, and a check of their watch
 * channels, due now.
 */
export const markReaderDirty = (
  db: Db,
  { userId, calendars, now }: Pick<Blocking, 'calendars'> & { userId: string; now: number },
) =>
  db
    .update(busySnapshots)
    .set({ dirtyGen: sql`${busySnapshots.dirtyGen} + 1`, dueAt: now, watchAt: now })
    .where(
      and(
        eq(busySnapshots.userId, userId),
        sql`exists (select 1 from calendar_accounts a where a.user_id = ${userId} and a.calendars = ${calendars})`,
      ),
    );

/**
 * Returns column values that store the calendars found at a consent. If another request has changed the stored
 * calendars since the caller read `former`, the values keep that change.
 */
export const unlessChanged = ({ calendars, marks }: Blocking, former: string | null) => {
  const { calendars: stored, calendarMarks } = calendarAccounts;
  const isFormer = sql`${stored} is not distinct from ${former}`;
  return {
    calendars: sql`case when ${isFormer} then ${calendars} else ${stored} end`,
    calendarMarks: sql`case when ${isFormer} then ${sql.param(marks, calendarMarks)} else ${calendarMarks} end`,
  };
};
