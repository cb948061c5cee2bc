import { sql } from 'drizzle-orm';
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { SubscribedEvent } from '../api/webhook-events/names.ts';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';

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
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('webhook_endpoints_retries', sql`${t.maxRetries} between 1 and 3`),
    check('webhook_endpoints_timeout', sql`${t.timeoutSeconds} between 1 and 30`),
  ],
);
