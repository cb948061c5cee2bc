import { eq, sql } from 'drizzle-orm';
import { SHOWN_STATUSES } from '../api/states.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/jobs.ts';
import { meetings } from '../tables/meetings.ts';
import { platforms } from '../tables/platforms.ts';

/**
 * Builds a statement that returns what a platform's tables say of the time since an instant: its new meetings, its
 * failed scheduling jobs by error code, without those that the platform cancelled itself.
 */
export const selectDay = (db: Db, { platformId, since }: { platformId: string; since: number }) =>
  db
    .select({
      booked:
        sql`(select count(*) from ${meetings} m where m.platform_id = ${platformId} and m.created_at >= ${at(since)}
        and m.rescheduled_from is null and m.status in ${[...SHOWN_STATUSES]})`.mapWith(Number),
      failedJobs: sql<Record<string, number>>`(select coalesce(jsonb_object_agg(f.code, f.count), '{}'::jsonb) from (
        select j.result ->> 'error_code' as code, count(*) as count from ${jobs} j
        where j.platform_id = ${platformId} and j.completed_at >= ${at(since)} and j.status = 'failed'
        and j.result ->> 'error_code' is distinct from 'CANCELLED' group by 1) f)`,
    })
    .from(platforms)
    .where(eq(platforms.id, platformId));
