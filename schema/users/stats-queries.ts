import { and, eq, inArray, sql } from 'drizzle-orm';
import { at, isOneOf } from '../columns.ts';
import type { Db } from '../db.ts';
import { LIVE_STATUSES, SHOWN_STATUSES } from '../meetings/status.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';

/** What a user's meetings and answers to invitations add up to; shares and averages of nothing are 0. */
export async function countUserStats(db: Db, { userId, monthStart }: { userId: string; monthStart: number }) {
  const isLive = isOneOf(meetings.status, LIVE_STATUSES);
  const isFirst = sql`${meetings.rescheduledFrom} is null`;
  const isAccepted = sql`${meetingPeople.position} = 1 and ${meetingPeople.responseStatus} = 'accepted' and ${meetingPeople.respondedAt} is not null`;
  const hours = sql`extract(epoch from ${meetingPeople.respondedAt} - ${meetings.createdAt}) / 3600`;
  const share = (part: typeof hours, whole: typeof hours) =>
    sql`coalesce(count(*) filter (where ${part})::float8 / nullif(count(*) filter (where ${whole}), 0), 0)`.mapWith(
      Number,
    );
  const [stats] = await db
    .select({
      total: sql`count(*) filter (where ${isLive})`.mapWith(Number),
      thisMonth: sql`count(*) filter (where ${isLive} and ${meetings.createdAt} >= ${at(monthStart)})`.mapWith(Number),
      acceptanceHours: sql`coalesce(avg(${hours}) filter (where ${isAccepted}), 0)::float8`.mapWith(Number),
      rescheduleRate: share(sql`${isFirst} and ${meetings.status} = 'rescheduled'`, isFirst),
      fastAcceptanceRate: share(sql`${isAccepted} and ${hours} <= 2`, isAccepted),
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .where(and(eq(meetingPeople.userId, userId), inArray(meetings.status, SHOWN_STATUSES)));
  return stats;
}
