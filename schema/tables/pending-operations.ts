import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, isOneOf } from '../columns.ts';
import { platforms } from './platforms.ts';

/** Kinds of calendar work that change a meeting. The meeting stays locked until the work is finished or undone. */
export const CHANGES = ['book', 'move', 'cancel'] as const;

/**
 * Kinds of follow-up calendar work, such as a later check of the event. They do not lock the meeting, and run when no
 * change of the meeting is unfinished.
 */
export const AFTERWARDS = ['link', 'verify'] as const;

export type PendingKind = (typeof CHANGES | typeof AFTERWARDS)[number];

/**
 * Table of calendar work that may be unfinished, which the background sweep finishes or undoes. A row of the kind
 * `verify` makes the sweep check the calendar some time after an operation was undone, in case a delayed call of that
 * operation reached the calendar.
 */
export const pendingOperations = pgTable(
  'pending_operations',
  {
    /**
     * Event id at the calendar provider. The work applies to the meeting that the event belongs to when the work is
     * done.
     */
    eventId: text('event_id').notNull(),
    kind: text().$type<PendingKind>().notNull(),
    /**
     * Platform of the meeting, by which the background sweep serves the work in turn, so that no platform delays
     * another.
     */
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    /**
     * Stored goal of the change of the meeting, from which the background sweep can finish the change without having
     * seen the request.
     */
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
