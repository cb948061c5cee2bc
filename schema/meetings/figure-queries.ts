import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { isOneOf } from '../columns.ts';
import type { Db } from '../db.ts';
import { SHOWN_STATUSES } from './status.ts';
import { meetingPeople, meetings } from './table.ts';

interface Since {
  platformId: string;
  /** Made from then on, epoch milliseconds. */
  since: number;
}

const isMade = ({ platformId, since }: Since) =>
  and(
    eq(meetings.platformId, platformId),
    gte(meetings.createdAt, since),
    isNull(meetings.rescheduledFrom),
    isOneOf(meetings.status, SHOWN_STATUSES),
  );

/** Statement: how many meetings a platform made by UTC day (`YYYY-MM-DD`); one and those that replaced it are one. */
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
 * Statement: how many of the invitations to such meetings were accepted, by how long that took: `step` is how many of the
 * `hours`, which rise, had gone by.
 */
export const countAcceptances = (db: Db, { hours, ...made }: Since & { hours: readonly number[] }) => {
  const steps = sql.raw(`array[${hours.map(Number).join(', ')}]::numeric[]`);
  const taken = sql`extract(epoch from ${meetingPeople.respondedAt} - ${meetings.createdAt}) / 3600`;
  return db
    .select({ step: sql`width_bucket(${taken}, ${steps})`.mapWith(Number), count: sql`count(*)`.mapWith(Number) })
    .from(meetings)
    .innerJoin(meetingPeople, and(eq(meetingPeople.meetingId, meetings.id), eq(meetingPeople.position, 1)))
    .where(and(isMade(made), eq(meetingPeople.responseStatus, 'accepted')))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
};
