import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instantRange } from '../columns.ts';
import { meetings } from '../meetings/table.ts';
import { users } from '../users/table.ts';

/**
 * A person's time taken by a live meeting. Guarded holds exclude one another (`holds_no_overlap`, in the migration, as
 * drizzle has no word for it), and a guarded one is refused when it meets any live hold (`hold_is_free`).
 */
export const holds = pgTable(
  'holds',
  {
    meetingId: text('meeting_id')
      .notNull()
      .references(() => meetings.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    during: instantRange().notNull(),
    guarded: boolean().notNull(),
    /** How many live holds stood in the way when it was written. */
    conflicts: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'holds_pkey', columns: [t.meetingId, t.userId] }),
    check('hold_is_free', sql`not ${t.guarded} or ${t.conflicts} = 0`),
  ],
);
