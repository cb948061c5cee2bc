import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { busySnapshots, calendarAccounts } from '../tables/calendar-accounts.ts';
import { users } from '../tables/users.ts';

export const readable = {
  accessToken: calendarAccounts.accessToken,
  accessExpiresAt: calendarAccounts.accessExpiresAt,
  calendars: calendarAccounts.calendars,
  /** True if the person's consent lets Tandem read their list of calendars. */
  mayList: sql<boolean>`coalesce(strpos(${calendarAccounts.scope}, 'calendar.calendarlist.readonly') > 0, false)`,
};

/** Returns undefined for a user without an account. */
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

/** Changes nothing if another request has saved since `former` was read. Must be the first statement in its batch. */
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
 * Follows `saveCalendars` in its batch. If that changed the calendars, the stored busy times become stale, and a read
 * and a check of the channels are due now.
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
 * The new values are the calendars found at the consent. The columns keep their values if another request has changed
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
