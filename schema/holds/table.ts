import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instantRange } from '../columns.ts';
import { meetings } from '../meetings/table.ts';
import { users } from '../users/table.ts';

/**
 * A person's time taken by a live meeting; while one is being moved, its old and its new time. Exclusive holds exclude one another (`holds_no_overlap`, in the migration, as
 * drizzle has no word for it), and an exclusive one is refused when it meets any live hold or comes too near one (`hold_is_free`), or on a day that is full (`hold_within_day`).
 */
export const holds = pgTable(
  'holds',
  {
    meetingId: text('meeting_id')
      .notNull()
      .references(() => meetings.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The calendar event the time is held for; holds of one event never stand in each other's way. */
    eventId: text('event_id').notNull(),
    during: instantRange().notNull(),
    exclusive: boolean().notNull(),
    /** How many live holds of other events stood in the way when it was written; of an exclusive one, within the person's buffer too. */
    conflicts: integer().notNull(),
    /** How many more meetings the person takes on that day of theirs after this one; null for one that is not exclusive. */
    leftOnDay: integer('left_on_day'),
  },
  (t) => [
    primaryKey({ name: 'holds_pkey', columns: [t.meetingId, t.userId, t.during] }),
    // listLiveMeetingTimes, listPairTimes, and the counts of what stands in the way
    index('holds_during').using('gist', t.userId, t.during),
    // deleteOldHolds
    index('holds_over').on(sql`upper(${t.during})`),
    check('hold_is_free', sql`not ${t.exclusive} or ${t.conflicts} = 0`),
    check('hold_within_day', sql`${t.leftOnDay} >= 0`),
  ],
);
