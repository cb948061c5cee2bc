import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { SubscribedEvent } from '../api/webhook-events/names.ts';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';

const DAY_HOURS = 24;

/** Previous signing secret of a webhook, encrypted, with the end of its validity in epoch milliseconds. */
export interface FormerSecret {
  secret: string;
  validUntil: number;
}

/** Table of platforms' webhook endpoints, with encrypted signing secrets. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    platformId: text('platform_id')
      .primaryKey()
      .references(() => platforms.id),
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
    /** Time since which no delivery to the endpoint's URL has succeeded. Null while the last one did. */
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
