import { sql } from 'drizzle-orm';
import { bigint, check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from '../platforms/table.ts';

/** What the id of a test's event begins with; replays keep it. */
export const TEST_EVENT_ID = 'wh_test_';

/** One event on its way to one platform, written in the transaction of the change it reports. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text().primaryKey(),
    eventId: text('event_id').notNull(),
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    eventType: text('event_type').notNull(),
    /** The envelope, serialised once; every attempt sends these bytes. */
    body: text().notNull(),
    /** The meeting it is about, if it is about one. */
    meetingId: text('meeting_id'),
    url: text().notNull(),
    status: text().$type<'pending' | 'success' | 'failed'>().notNull(),
    attempts: integer().notNull().default(0),
    maxAttempts: integer('max_attempts').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
    /** When the sweep last asked for the attempt that is due. */
    askedAt: instant('asked_at'),
    owner: text(),
    leaseUntil: instant('lease_until'),
    responseCode: integer('response_code').notNull().default(0),
    durationMs: integer('duration_ms').notNull().default(0),
    error: text(),
    replayOf: text('replay_of'),
    /** When the event was first delivered: only on its newest delivery, never on a test's. */
    eventAt: instant('event_at'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    check('deliveries_status', sql`${t.status} in ('pending', 'success', 'failed')`),
    check('deliveries_end', sql`(${t.status} = 'pending') = (${t.finishedAt} is null)`),
    check('deliveries_attempts', sql`${t.attempts} <= ${t.maxAttempts}`),
    // listDeliveries, deleteOldDeliveries
    index('deliveries_log').on(t.platformId, t.createdAt, t.id),
    index('deliveries_log_by_event').on(t.platformId, t.eventType, t.createdAt, t.id),
    index('deliveries_log_by_status').on(t.platformId, t.status, t.createdAt, t.id),
    // listDeliveriesOfMeeting
    index('deliveries_meeting').on(t.platformId, t.meetingId).where(sql`${t.meetingId} is not null`),
    // takeDue
    index('deliveries_due').on(t.platformId, t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    // replayDeliveries
    index('deliveries_replayable')
      .on(t.platformId, t.status, t.eventAt, t.id)
      .where(sql`${t.eventAt} is not null and ${t.status} <> 'pending'`),
    // replayDelivery
    index('deliveries_replays').on(t.platformId, t.eventId).where(sql`${t.replayOf} is not null`),
  ],
);

/** One try at a delivery. */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    startedAt: instant('started_at').notNull(),
    /** 0 when no answer came. */
    responseCode: integer('response_code').notNull(),
    durationMs: integer('duration_ms').notNull(),
    error: text(),
  },
  (t) => [primaryKey({ name: 'delivery_attempts_pkey', columns: [t.deliveryId, t.number] })],
);

/** How a platform's deliveries ended, by the UTC day they ended on; outlives the deliveries themselves. */
export const deliveryDays = pgTable(
  'delivery_days',
  {
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    day: date().notNull(),
    success: integer().notNull(),
    failed: integer().notNull(),
    /** Those whose last attempt got an answer, and how long these answers took in all. */
    answered: integer().notNull(),
    answeredMs: bigint('answered_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'delivery_days_pkey', columns: [t.platformId, t.day] })],
);
