import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { EventData } from '../api/webhook-events/schemas.ts';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';

export type JobResult = EventData<'meeting.scheduling.completed' | 'meeting.scheduling.failed'>;

/** They run in the background. Each ends exactly once, as `completed` or `failed`. */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    status: text().$type<'processing' | 'completed' | 'failed'>().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Field `data` of the webhook event that reported the end of the job. */
    result: jsonb().$type<JobResult>(),
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant('lease_until'),
    nextRunAt: instant('next_run_at'),
    /** Time at which the background sweep last put the scheduling job's due run on the queue. */
    askedAt: instant('asked_at'),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    check('jobs_status', sql`${t.status} in ('processing', 'completed', 'failed')`),
    check(
      'jobs_end',
      sql`(${t.status} = 'processing') = (${t.result} is null) and (${t.status} = 'processing') = (${t.completedAt} is null)`,
    ),
    // Index for `deleteOldJobs`.
    index('jobs_ended').on(t.platformId, t.completedAt).where(sql`${t.completedAt} is not null`),
    // Index for `takeDueJobs`.
    index('jobs_due').on(t.platformId, t.nextRunAt).where(sql`${t.status} = 'processing'`),
  ],
);
