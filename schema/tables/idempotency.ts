import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, refersTo } from '../columns.ts';
import { platforms } from './platforms.ts';

export type IdempotentOperation =
  | 'schedule'
  | 'schedule.auto'
  | 'schedule.batch'
  | 'update'
  | 'cancel'
  | 'reschedule'
  | 'propose';

/** One row per platform, operation and key guarantees that a repeated request does nothing twice. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    operation: text().$type<IdempotentOperation>().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and canonical body, which tells a retry from another request under the key. */
    fingerprint: text().notNull(),
    state: text().$type<'started' | 'done'>().notNull(),
    owner: text().notNull(),
    leaseUntil: instant('lease_until').notNull(),
    /** Meeting or job that the first request created. A retry continues with it. */
    resourceId: text('resource_id'),
    status: integer(),
    body: text(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.platformId, t.operation, t.key] }),
    check('idempotency_keys_state', sql`${t.state} in ('started', 'done')`),
    check('idempotency_keys_answer', sql`(${t.state} = 'done') = (${t.status} is not null and ${t.body} is not null)`),
    index('idempotency_keys_resource').on(t.resourceId),
    index('idempotency_keys_age').on(t.createdAt),
  ],
);
