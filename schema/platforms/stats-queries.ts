import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../db.ts';
import { SHOWN_STATUSES } from '../meetings/status.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { usage } from '../usage/table.ts';

/** Statement: how many meetings a platform made in all and in two months, and how many of this month's quota are taken. */
export const sumUsage = (
  db: Db,
  { platformId, thisMonth, lastMonth }: Record<'platformId' | 'thisMonth' | 'lastMonth', string>,
) => {
  const sumOf = (column: AnyPgColumn, month = sql`true`) =>
    sql`coalesce(sum(${column}) filter (where ${month}), 0)`.mapWith(Number);
  return db
    .select({
      used: sumOf(usage.used, eq(usage.month, thisMonth)),
      total: sumOf(usage.confirmed),
      thisMonth: sumOf(usage.confirmed, eq(usage.month, thisMonth)),
      lastMonth: sumOf(usage.confirmed, eq(usage.month, lastMonth)),
    })
    .from(usage)
    .where(eq(usage.platformId, platformId));
};

const isFirst = isNull(meetings.rescheduledFrom);
const isAccepted = and(eq(meetingPeople.responseStatus, 'accepted'), sql`${meetingPeople.respondedAt} is not null`);
const count = (what = sql`true`) => sql`count(*) filter (where ${what})`.mapWith(Number);

/**
 * Statement: what became of a platform's meetings; one and those that replaced it are one. Who was invited stands at
 * position 1: the requester's own answer says nothing.
 */
export const sumOutcomes = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      meetings: count(isFirst),
      rescheduled: count(and(isFirst, eq(meetings.status, 'rescheduled'))),
      cancelled: count(eq(meetings.status, 'cancelled')),
      acceptanceHours: sql`coalesce(avg(extract(epoch from ${meetingPeople.respondedAt} - ${meetings.createdAt}) / 3600)
        filter (where ${isAccepted}), 0)`.mapWith(Number),
    })
    .from(meetings)
    .innerJoin(meetingPeople, and(eq(meetingPeople.meetingId, meetings.id), eq(meetingPeople.position, 1)))
    .where(and(eq(meetings.platformId, platformId), inArray(meetings.status, SHOWN_STATUSES)));
