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
    /**
     * Id of the platform that the person connected to last, or of the person if there is none. The background sweep
     * serves these ids in turn, so that one platform's people do not delay another's.
     */
    turnOf: text('turn_of').notNull(),
    /**
     * Counter that rises with every hint that the calendar changed, and with every failed read. The stored busy times
     * are current only while `synced_gen` has the same value.
     */
    dirtyGen: integer('dirty_gen').notNull().default(1),
    /**
     * Value that the counter `dirty_gen` had when the last successful read of the calendar began. While both are equal,
     * no change is known since that read.
     */
    syncedGen: integer('synced_gen').notNull().default(0),
    /**
     * Busy intervals as one flat list in order: start, end, start, end … in epoch milliseconds. No two intervals touch.
     */
    busy: jsonb().$type<number[]>().notNull().default([]),
    coversFrom: instant('covers_from'),
    coversUntil: instant('covers_until'),
    /** Time at which the last successful read of the calendar began. */
    readAt: instant('read_at'),
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
