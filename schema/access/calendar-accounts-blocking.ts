import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { busySnapshots } from '../tables/busy-snapshots.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { users } from '../tables/users.ts';

/** Columns of a calendar account that Tandem needs to read the person's calendars. */
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
 * Builds a statement that stores which calendars block the person's time. It changes nothing if the stored text is no
 * longer `former`, because then another request has saved a choice since. It must be the first statement in its batch.
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
 * Builds a statement that must follow `saveCalendars`, which stores which calendars block a user's time, in its batch.
 * If `saveCalendars` changed them, this statement marks the user's stored busy times as stale. It also makes a read of
 * the calendars, and a check of the channels that push their changes, due now.
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
 * Returns values for the columns that store which calendars block a person's time, for the end of a consent. The new
 * values are the calendars found at the consent. The columns keep their stored values if another request has changed
 * them since the caller read `former`.
 */
export const unlessChanged = ({ calendars, marks }: Blocking, former: string | null) => {
  const { calendars: stored, calendarMarks } = calendarAccounts;
  const isFormer = sql`${stored} is not distinct from ${former}`;
  return {
    calendars: sql`case when ${isFormer} then ${calendars} else ${stored} end`,
    calendarMarks: sql`case when ${isFormer} then ${sql.param(marks, calendarMarks)} else ${calendarMarks} end`,
  };
};
