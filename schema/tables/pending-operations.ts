import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { platforms } from './platforms.ts';

/** Kinds of calendar work that change a meeting. The meeting stays locked until the work is finished or undone. */
export const CHANGES = ['book', 'move', 'cancel'] as const;

/** They do not lock the meeting, and run when no change of it is unfinished. */
export const AFTERWARDS = ['link', 'verify'] as const;

export type PendingKind = (typeof CHANGES | typeof AFTERWARDS)[number];

/**
 * The sweep finishes or undoes it. `verify` makes it check the calendar some time after an undo, in case a delayed call
 * reached the calendar.
 */
export const pendingOperations = pgTable(
  'pending_operations',
  {
    /** The work applies to the meeting that the event belongs to when the work is done. */
    eventId: text('event_id').notNull(),
    kind: text().$type<PendingKind>().notNull(),
    /** The background sweep serves the platforms' work in turn, so that none delays another. */
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    /** The goal, from which the background sweep can finish the change without having seen the request. */
    intent: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    dueAt: instant('due_at').notNull(),
    attempts: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'pending_operations_pkey', columns: [t.eventId, t.kind] }),
    check('pending_operations_kind', isOneOf(t.kind, [...CHANGES, ...AFTERWARDS])),
    // Index for `listOverdue`.
    index('pending_operations_due').on(t.platformId, t.dueAt),
  ],
);
