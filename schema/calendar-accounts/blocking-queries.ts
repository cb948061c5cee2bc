import { and, eq, sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { calendarAccounts } from './table.ts';

/** What a read of a person's calendars needs of their account. */
export const readable = {
  accessToken: calendarAccounts.accessToken,
  accessExpiresAt: calendarAccounts.accessExpiresAt,
  calendars: calendarAccounts.calendars,
  /** Whether the person lets us see the list of their calendars. */
  mayList: sql<boolean>`coalesce(strpos(${calendarAccounts.scope}, 'calendar.calendarlist.readonly') > 0, false)`,
};

/** Whose calendars these are, with what reading them needs; undefined for somebody without an account. */
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

/** Statement, first in its batch: these calendars block the person's time from now on, unless they have changed since. */
export const saveCalendars = (
  db: Db,
  { userId, former, calendars, marks }: Blocking & { userId: string; former: string | null },
) =>
  db
    .update(calendarAccounts)
    .set({ calendars, calendarMarks: marks })
    .where(and(eq(calendarAccounts.userId, userId), sql`${calendarAccounts.calendars} is not distinct from ${former}`))
    .returning({ userId: calendarAccounts.userId });

/** Statement, behind it: what was read counts no more, and it is read, and each calendar watched, anew now. */
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

/** What a consent makes of the calendars it found, unless they have changed since. */
export const unlessChanged = ({ calendars, marks }: Blocking, former: string | null) => {
  const { calendars: stored, calendarMarks } = calendarAccounts;
  const isFormer = sql`${stored} is not distinct from ${former}`;
  return {
    calendars: sql`case when ${isFormer} then ${calendars} else ${stored} end`,
    calendarMarks: sql`case when ${isFormer} then ${sql.param(marks, calendarMarks)} else ${calendarMarks} end`,
  };
};
