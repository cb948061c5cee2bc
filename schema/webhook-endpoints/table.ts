import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { EventType } from '../api/events.ts';
import { instant } from '../columns.ts';
import { platforms } from '../platforms/table.ts';

/** Where a platform's events go; both secrets are sealed. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    platformId: text('platform_id')
      .primaryKey()
      .references(() => platforms.id),
    url: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** Empty means all. */
    events: text().array().$type<EventType[]>().notNull().default(sql`'{}'`),
    maxRetries: integer('max_retries').notNull().default(3),
    timeoutSeconds: integer('timeout_seconds').notNull().default(30),
    secret: text().notNull(),
    previousSecret: text('previous_secret'),
    previousValidUntil: instant('previous_valid_until'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('webhook_endpoints_retries', sql`${t.maxRetries} between 1 and 3`),
    check('webhook_endpoints_timeout', sql`${t.timeoutSeconds} between 1 and 30`),
  ],
);
