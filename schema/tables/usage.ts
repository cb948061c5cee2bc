import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';

/** Meetings in a UTC month (`YYYY-MM`). A constraint refuses meetings beyond the quota. */
export const usage = pgTable(
  'usage',
  {
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    month: text().notNull(),
    /** Number of confirmed meetings, and of bookings and replacements of an attendee that are still in progress. */
    used: integer().notNull(),
    /** Bookings that succeeded, and replacements of an attendee, which count like a new meeting. */
    confirmed: integer().notNull().default(0),
    /** Largest number of meetings in the month, null if unlimited. */
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

/** Table of usage thresholds, such as 80% of the quota, whose webhook event was already sent in a month. */
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

/** A meeting counts in the UTC month (`YYYY-MM`) in which it was made, for its platform and its people. */
export const meetingMonths = pgTable(
  'meeting_months',
  {
    /** Id of the platform or person whose meetings are counted. */
    party: text().notNull(),
    month: text().notNull(),
    /** Number of meetings made. A meeting and its replacements count as one. */
    made: integer().notNull(),
    rescheduled: integer().notNull(),
    cancelled: integer().notNull(),
    accepted: integer().notNull(),
    /** Number of invitations that were accepted within two hours. */
    acceptedFast: integer('accepted_fast').notNull(),
    /** Sum of the times from invitation to acceptance of all accepted invitations, in milliseconds. */
    acceptedMs: bigint('accepted_ms', { mode: 'number' }).notNull(),
    /** Number of live meetings that start in the morning on the person's clock. It is 0 for a platform. */
    morning: integer().notNull(),
    /** Number of live meetings that start in the afternoon on the person's clock. It is 0 for a platform. */
    afternoon: integer().notNull(),
    /** Number of live meetings that start in the evening on the person's clock. It is 0 for a platform. */
    evening: integer().notNull(),
  },
  (t) => [primaryKey({ name: 'meeting_months_pkey', columns: [t.party, t.month] })],
);
