import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** What the meetings of a platform, or of a person, come to, by the UTC month (`YYYY-MM`) they were made in. */
export const meetingMonths = pgTable(
  'meeting_months',
  {
    /** The platform's id, or the person's. */
    party: text().notNull(),
    month: text().notNull(),
    /** One and those that replaced it are one. */
    made: integer().notNull(),
    rescheduled: integer().notNull(),
    cancelled: integer().notNull(),
    /** Invitations that stand accepted, those within two hours, and how long these answers took in all. */
    accepted: integer().notNull(),
    acceptedFast: integer('accepted_fast').notNull(),
    acceptedMs: bigint('accepted_ms', { mode: 'number' }).notNull(),
    /** Meetings that take place, by the part of the person's day; a platform has none. */
    morning: integer().notNull(),
    afternoon: integer().notNull(),
    evening: integer().notNull(),
  },
  (t) => [primaryKey({ name: 'meeting_months_pkey', columns: [t.party, t.month] })],
);
