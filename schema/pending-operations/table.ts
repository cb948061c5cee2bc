import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { meetings } from '../meetings/table.ts';
import { platforms } from '../platforms/table.ts';

/** The operation itself, which has the meeting in hand until it is finished or undone. */
export const CHANGES = ['book', 'move', 'cancel'] as const;

/** What is looked after on a meeting that is itself unlocked, once no change of it is pending. */
export const AFTERWARDS = ['link', 'verify'] as const;

export type PendingKind = (typeof CHANGES | typeof AFTERWARDS)[number];

/**
 * Work on the calendar that is not known to be done; the sweep finishes or undoes it. A `verify` is the delayed
 * verification after an undoing, for a call that reached the calendar late.
 */
export const pendingOperations = pgTable(
  'pending_operations',
  {
    meetingId: text('meeting_id')
      .notNull()
      .references(() => meetings.id),
    kind: text().$type<PendingKind>().notNull(),
    /** The meeting's, so that the sweep can take the platforms in turn. */
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    /** What the change was to be, for a sweep that did not see the request. */
    intent: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    dueAt: instant('due_at').notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'pending_operations_pkey', columns: [t.meetingId, t.kind] }),
    check('pending_operations_kind', isOneOf(t.kind, [...CHANGES, ...AFTERWARDS])),
    // claimOverdue
    index('pending_operations_due').on(t.platformId, t.dueAt),
  ],
);
