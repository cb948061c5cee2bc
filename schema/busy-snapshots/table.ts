import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { instant } from '../columns.ts';

/**
 * Table of people's busy times as the provider last returned them: merged intervals without titles and ids. A snapshot
 * may be served while no change is known since its read, `synced_gen = dirty_gen`.
 */
export const busySnapshots = pgTable(
  'busy_snapshots',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /**
     * Tenant under which the snapshot waits for its read: the platform that the person connected to last, or the person
     * if there is none.
     */
    turnOf: text('turn_of').notNull(),
    /** Generation number that rises with every hint of a change in the calendar and with every failed read. */
    dirtyGen: integer('dirty_gen').notNull().default(1),
    /** Value of `dirty_gen` when the last successful read of the calendar began. */
    syncedGen: integer('synced_gen').notNull().default(0),
    /**
     * Busy intervals as one flat list in order: start, end, start, end … in epoch milliseconds. No two intervals touch.
     */
    busy: jsonb().$type<number[]>().notNull().default([]),
    coversFrom: instant('covers_from'),
    coversUntil: instant('covers_until'),
    /** Time at which the last successful read of the calendar began. */
    readAt: instant('read_at'),
    /**
     * True if the next read of the calendar repeats the previous one, which may have been too early to see a change.
     */
    isSecondLook: boolean('is_second_look').notNull().default(false),
    failures: integer().notNull().default(0),
    /** Time at which a platform last asked for the person's busy times, precise to the hour. */
    usedAt: instant('used_at').notNull(),
    dueAt: instant('due_at').notNull(),
    /**
     * Sync token from the provider. With it, the next query returns only the calendar's changes since the last query.
     */
    eventToken: text('event_token'),
    /**
     * Earliest time at which Tandem next asks the provider for a watch channel, which pushes the calendar's changes.
     */
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
