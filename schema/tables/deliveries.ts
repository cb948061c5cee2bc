import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import type { SubscribedEvent } from '../api/webhook-events.ts';
import { instant, refersTo } from '../columns.ts';
import { platforms } from './platforms.ts';

/** Prefix of the ids of test events. Replays of a test event keep its id. */
export const TEST_EVENT_ID = 'wh_test_';

/** True for what platforms get as `meeting.rescheduled`. Without parameters, because a partial index takes none. */
export const isRescheduled = (t: { eventType: AnyPgColumn; body: AnyPgColumn }) =>
  sql`(${t.eventType} = 'meeting.updated' or (${t.eventType} = 'meeting.scheduled' and ${t.body} like '%"rescheduled_from":%'))`;

/** Each is of one event to one platform, written in the transaction of the change that the event reports. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text().primaryKey(),
    eventId: text('event_id').notNull(),
    platformId: refersTo('platform_id', () => platforms.id),
    eventType: text('event_type').notNull(),
    /** Event envelope as JSON text, serialized once. Every attempt sends these bytes. */
    body: text().notNull(),
    meetingId: text('meeting_id'),
    url: text().notNull(),
    status: text().$type<'pending' | 'success' | 'failed'>().notNull(),
    attempts: integer().notNull().default(0),
    maxAttempts: integer('max_attempts').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
    askedAt: instant('asked_at'),
    owner: text(),
    leaseUntil: instant('lease_until'),
    responseCode: integer('response_code').notNull().default(0),
    durationMs: integer('duration_ms').notNull().default(0),
    error: text(),
    replayOf: text('replay_of'),
    /** Number of times that Tandem has sent the event again by itself, this delivery included. */
    redeliveries: integer().notNull().default(0),
    /** Number of those times at which the endpoint took other events. */
    refusals: integer().notNull().default(0),
    /** Of several deliveries of one event only the newest has it, so that a replay finds it once. Null for tests. */
    eventAt: instant('event_at'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    check('deliveries_status', sql`${t.status} in ('pending', 'success', 'failed')`),
    check('deliveries_end', sql`(${t.status} = 'pending') = (${t.finishedAt} is null)`),
    check('deliveries_attempts', sql`${t.attempts} <= ${t.maxAttempts}`),
    // Index for `listDeliveries`, `listShownDeliveries`, `listDeliveriesOfProposal`, `deleteOldDeliveries`.
    index('deliveries_log').on(t.platformId, t.createdAt, t.id),
    index('deliveries_log_by_event').on(t.platformId, t.eventType, t.createdAt, t.id),
    index('deliveries_log_by_status').on(t.platformId, t.status, t.createdAt, t.id),
    // Has a hash, because a URL can be longer than an entry of an index.
    index('deliveries_log_by_url').on(t.platformId, sql`md5(${t.url})`, t.status, t.createdAt, t.id),
    index('deliveries_log_rescheduled').on(t.platformId, t.createdAt, t.id).where(isRescheduled(t)),
    // Index for `listDeliveriesOfMeeting`.
    index('deliveries_meeting').on(t.platformId, t.meetingId).where(sql`${t.meetingId} is not null`),
    // Index for `takeDue`.
    index('deliveries_due').on(t.platformId, t.nextAttemptAt).where(sql`${t.status} = 'pending'`),
    // Index for `replayDeliveries`.
    index('deliveries_replayable')
      .on(t.platformId, t.status, t.eventAt, t.id)
      .where(sql`${t.eventAt} is not null and ${t.status} <> 'pending'`),
    // Index for `redeliverNext`.
    index('deliveries_redelivered').on(t.platformId).where(sql`${t.redeliveries} > 0 and ${t.status} = 'pending'`),
    // Index for `replayDelivery`.
    index('deliveries_replays').on(t.platformId, t.eventId).where(sql`${t.replayOf} is not null`),
  ],
);

export const attemptKey = (deliveryId: string, number: number) => `${deliveryId}.${number}`;

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliveryId: refersTo('delivery_id', () => deliveries.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    startedAt: instant('started_at').notNull(),
    /** Time in the headers of the request, null if no request was sent. */
    sentAt: instant('sent_at'),
    /** HTTP status that the receiver answered, 0 if it gave no answer. */
    responseCode: integer('response_code').notNull(),
    durationMs: integer('duration_ms').notNull(),
    error: text(),
    /** First 1,024 bytes of the receiver's answer as text, encrypted. Null if the receiver answered without a body. */
    answer: text(),
  },
  (t) => [primaryKey({ name: 'delivery_attempts_pkey', columns: [t.deliveryId, t.number] })],
);

/** Deliveries count on the UTC day on which they ended. The numbers stay when the deliveries are deleted. */
export const deliveryDays = pgTable(
  'delivery_days',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    day: date().notNull(),
    success: integer().notNull(),
    failed: integer().notNull(),
    answered: integer().notNull(),
    /** Sum of the response times of the deliveries in `answered`, in milliseconds. Only their last attempts count. */
    answeredMs: bigint('answered_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'delivery_days_pkey', columns: [t.platformId, t.day] })],
);

const DAY_HOURS = 24;

/** Previous signing secret of a webhook, encrypted, with the end of its validity in epoch milliseconds. */
export type FormerSecret = { secret: string; validUntil: number };

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    platformId: refersTo('platform_id', () => platforms.id).primaryKey(),
    url: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** Null means all events in `DEFAULT_EVENTS`, and an empty list means no events. */
    events: text().array().$type<SubscribedEvent[]>(),
    maxRetries: integer('max_retries').notNull().default(3),
    timeoutSeconds: integer('timeout_seconds').notNull().default(30),
    secret: text().notNull(),
    /** Previous signing secrets of the webhook, newest first, at most five. */
    previousSecrets: jsonb('previous_secrets').$type<FormerSecret[]>().notNull().default([]),
    /** Hours for which Tandem sends an event again by itself that failed. 0 for never. */
    redeliverHours: integer('redeliver_hours').notNull().default(DAY_HOURS),
    failingSince: instant('failing_since'),
    /** Time from which on failed deliveries wait to be sent again. Null if none waits. */
    redeliverFrom: instant('redeliver_from'),
    /** Time of the next delivery that Tandem makes by itself. Null if none is planned, or while one is under way. */
    redeliverAt: instant('redeliver_at'),
    /** Number of deliveries that Tandem has made by itself since `failing_since`. */
    redeliverStep: integer('redeliver_step').notNull().default(0),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('webhook_endpoints_redeliver', sql`${t.redeliverHours} between 0 and 72`),
    // Index for `listRedeliveriesDue`.
    index('webhook_endpoints_redeliver_due').on(t.redeliverAt).where(sql`${t.redeliverAt} is not null`),
    check('webhook_endpoints_retries', sql`${t.maxRetries} between 1 and 3`),
    check('webhook_endpoints_timeout', sql`${t.timeoutSeconds} between 1 and 30`),
  ],
);
