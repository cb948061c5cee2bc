import { sql } from 'drizzle-orm';
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from '../platforms/table.ts';

/** Meetings a platform made in a UTC month (`YYYY-MM`); taking one beyond the quota fails by constraint. */
export const usage = pgTable(
  'usage',
  {
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    month: text().notNull(),
    /** Meetings made and being made. */
    used: integer().notNull(),
    /** Meetings made. */
    confirmed: integer().notNull().default(0),
    /** Null: unlimited. */
    quota: integer(),
  },
  (t) => [
    primaryKey({ name: 'usage_pkey', columns: [t.platformId, t.month] }),
    check(
      'usage_within_quota',
      sql`${t.confirmed} between 0 and ${t.used} and (${t.quota} is null or ${t.used} <= ${t.quota})`,
    ),
  ],
);

/** That a threshold's event was sent this month. */
export const usageNotices = pgTable(
  'usage_notices',
  {
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    month: text().notNull(),
    percentage: integer().notNull(),
    eventId: text('event_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_notices_pkey', columns: [t.platformId, t.month, t.percentage] }),
    check('usage_notices_percentage', sql`${t.percentage} in (80, 100)`),
  ],
);
