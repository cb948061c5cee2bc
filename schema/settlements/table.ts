import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { meetings } from '../meetings/table.ts';

/**
 * Work on the calendar that was promised and is not known to be done; the sweep finishes or undoes it. A `recheck` is
 * the second look after an undoing, for a call that reached the calendar late.
 */
export const settlements = pgTable(
  'settlements',
  {
    meetingId: text('meeting_id')
      .notNull()
      .references(() => meetings.id),
    kind: text().$type<'book' | 'link' | 'move' | 'cancel' | 'recheck'>().notNull(),
    /** What the change was to be, for a sweep that did not see the request. */
    intent: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    dueAt: instant('due_at').notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'settlements_pkey', columns: [t.meetingId, t.kind] }),
    check('settlements_kind', sql`${t.kind} in ('book', 'link', 'move', 'cancel', 'recheck')`),
    index('settlements_due').on(t.dueAt),
  ],
);
