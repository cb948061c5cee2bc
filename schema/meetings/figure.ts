import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { SHOWN_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { eventAnswers, meetingPeople, meetings } from '../tables/meetings.ts';
import { platforms } from '../tables/platforms.ts';

interface Since {
  platformId: string;
  since: number;
}

const isMade = ({ platformId, since }: Since) =>
  and(
    eq(meetings.platformId, platformId),
    gte(meetings.createdAt, since),
    isNull(meetings.rescheduledFrom),
    isOneOf(meetings.status, SHOWN_STATUSES),
  );

/** Counts by `YYYY-MM-DD`. A meeting and its replacements count as one. */
export const countMadeByDay = (db: Db, made: Since) => {
  const day = sql<string>`to_char(${meetings.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  return db
    .select({ day, count: sql`count(*)`.mapWith(Number) })
    .from(meetings)
    .where(isMade(made))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
};

/**
 * Numbers groups by the time until acceptance as `step`: 0 is below the first limit in `hours`, 1 below the second, and
 * so on. `hours` must rise.
 */
export const countAcceptances = (db: Db, { hours, ...made }: Since & { hours: readonly number[] }) => {
  const steps = sql.raw(`array[${hours.map(Number).join(', ')}]::numeric[]`);
  const taken = sql`extract(epoch from ${eventAnswers.respondedAt} - ${meetings.createdAt}) / 3600`;
  return db
    .select({ step: sql`width_bucket(${taken}, ${steps})`.mapWith(Number), count: sql`count(*)`.mapWith(Number) })
    .from(meetings)
    .innerJoin(meetingPeople, and(eq(meetingPeople.meetingId, meetings.id), eq(meetingPeople.position, 1)))
    .innerJoin(
      eventAnswers,
      and(eq(eventAnswers.eventId, meetings.providerEventId), eq(eventAnswers.userId, meetingPeople.userId)),
    )
    .where(and(isMade(made), eq(eventAnswers.responseStatus, 'accepted')))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
};

/**
 * Builds a statement that returns what a platform's tables say of the time since an instant: its new meetings, its
 * failed scheduling jobs by error code, without those that the platform cancelled itself.
 */
export const selectDay = (db: Db, { platformId, since }: Since) =>
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
