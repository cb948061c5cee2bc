import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { calendarAccounts } from './calendar-accounts.ts';

/**
 * Table of people's busy times as the calendar provider last returned them: merged intervals without titles and ids.
 * Searches may use a row while no change of the calendar is known since its read, `synced_gen = dirty_gen`.
 */
export const busySnapshots = pgTable(
  'busy_snapshots',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /** The platform that the person connected to last, or else the person. The sweep serves these in turn. */
    turnOf: text('turn_of').notNull(),
    /** Rises with every hint that the calendar changed, and with every failed read. */
    dirtyGen: integer('dirty_gen').notNull().default(1),
    /** The value of `dirty_gen` when the last successful read of the calendar began. */
    syncedGen: integer('synced_gen').notNull().default(0),
    /** One flat list in order: start, end, start, end … in epoch milliseconds. No two intervals touch. */
    busy: jsonb().$type<number[]>().notNull().default([]),
    coversFrom: instant('covers_from'),
    coversUntil: instant('covers_until'),
    /** Time at which the last successful read of the calendar began. */
    readAt: instant('read_at'),
    failures: integer().notNull().default(0),
    /** Time at which a platform last asked for the person's busy times, precise to the hour. */
    usedAt: instant('used_at').notNull(),
    dueAt: instant('due_at').notNull(),
    /** The provider's sync token, with which the next query returns only the changes since the last. */
    eventToken: text('event_token'),
    /** The provider may then next be asked for a watch channel, which pushes the calendar's changes. */
    watchAt: instant('watch_at').notNull(),
    owner: text(),
    leaseUntil: instant('lease_until'),
  },
  (t) => [
    check(
      'busy_snapshots_read',
      sql`${t.syncedGen} = 0 or (${t.readAt}, ${t.coversFrom}, ${t.coversUntil}) is not null`,
    ),
    check('busy_snapshots_generations', sql`${t.syncedGen} <= ${t.dirtyGen}`),
    // Index for `takeDueSnapshots`.
    index('busy_snapshots_due').on(t.turnOf, t.dueAt),
  ],
);
