import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { instant } from '../columns.ts';

/**
 * A person's free/busy as the provider last told it: busy times only, merged, no titles and no ids. It may be served while
 * nothing is known to have changed since, `synced_gen = dirty_gen`.
 */
export const busySnapshots = pgTable(
  'busy_snapshots',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /** Whose turn it waits for: the platform the person connected with last, else theirs. */
    turnOf: text('turn_of').notNull(),
    /** Rises with every hint of a change, and with every read that brought nothing. */
    dirtyGen: integer('dirty_gen').notNull().default(1),
    /** What `dirty_gen` was before the read began that brought these times. */
    syncedGen: integer('synced_gen').notNull().default(0),
    /** Start, end, start, end … in epoch milliseconds, in order, no two touching. */
    busy: jsonb().$type<number[]>().notNull().default([]),
    coversFrom: instant('covers_from'),
    coversUntil: instant('covers_until'),
    /** When that read began. */
    readAt: instant('read_at'),
    /** The next read looks whether the one before it came too early to see what had changed. */
    isSecondLook: boolean('is_second_look').notNull().default(false),
    failures: integer().notNull().default(0),
    /** When a platform last asked for the person, to the hour. */
    usedAt: instant('used_at').notNull(),
    dueAt: instant('due_at').notNull(),
    /** What the provider gave to ask what changed on the calendar since. */
    eventToken: text('event_token'),
    /** Not before then is a watch channel asked for. */
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
    // claimDueSnapshots
    index('busy_snapshots_due').on(t.turnOf, t.dueAt),
  ],
);
