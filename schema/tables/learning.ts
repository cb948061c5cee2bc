import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from './users.ts';

/** Table of changes to learned weights. Because of it, the API can list each change and undo it. */
export const learningLedger = pgTable(
  'learning_ledger',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    source: text().$type<'reschedule' | 'scheduling_context'>().notNull(),
    meetingId: text('meeting_id'),
    pattern: text().notNull(),
    /** Path of the weight that the change is about, such as `time_of_day_preference.morning`. */
    weight: text().notNull(),
    before: doublePrecision().notNull(),
    after: doublePrecision().notNull(),
    createdAt: instant('created_at').notNull(),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    check('learning_ledger_source', sql`${t.source} in ('reschedule', 'scheduling_context')`),
    check('learning_ledger_bounds', sql`${t.after} between 0.2 and 2 and ${t.before} between 0.2 and 2`),
    uniqueIndex('learning_ledger_once_per_meeting')
      .on(t.userId, t.meetingId, t.weight)
      .where(sql`${t.meetingId} is not null`),
    // Index for `deleteUndoneChanges`.
    index('learning_ledger_undone').on(t.undoneAt).where(sql`${t.undoneAt} is not null`),
    index('learning_ledger_user').on(t.userId, t.createdAt),
  ],
);
