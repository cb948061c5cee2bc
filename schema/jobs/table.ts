import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { EventData } from '../api/webhook-events.ts';
import { instant } from '../columns.ts';
import { platforms } from '../platforms/table.ts';

export type JobResult = EventData<'meeting.scheduling.completed' | 'meeting.scheduling.failed'>;

/** An asynchronous scheduling request; ends exactly once, as `completed` or `failed`. */
export const jobs = pgTable(
  'jobs',
  {
    id: text().primaryKey(),
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    status: text().$type<'processing' | 'completed' | 'failed'>().notNull(),
    request: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The `data` of the event that reported the end. */
    result: jsonb().$type<JobResult>(),
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant('lease_until'),
    nextRunAt: instant('next_run_at'),
    /** When the sweep last asked for the run that is due. */
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
    // deleteOldJobs
    index('jobs_ended').on(t.platformId, t.completedAt).where(sql`${t.completedAt} is not null`),
    // takeDueJobs
    index('jobs_due').on(t.platformId, t.nextRunAt).where(sql`${t.status} = 'processing'`),
  ],
);
