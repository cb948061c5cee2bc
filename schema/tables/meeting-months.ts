import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

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
