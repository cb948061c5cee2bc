import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { RESCHEDULED } from '../api/webhook-events.ts';
import { at, pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, deliveryAttempts, deliveryDays, isRescheduled } from '../tables/deliveries.ts';
import { meetings } from '../tables/meetings.ts';
import { proposals } from '../tables/proposals.ts';

const record = {
  ...pick(deliveries, 'id', 'eventId', 'eventType', 'createdAt', 'status', 'responseCode', 'attempts'),
  ...pick(deliveries, 'durationMs', 'error', 'url', 'replayOf', 'redeliveries', 'eventAt'),
};

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

export interface LogFilter extends DeliveryFilter {
  limit: number;
  after?: Place | undefined;
}

export const listDeliveries = (db: Db, { limit, after, ...filter }: LogFilter) =>
  db
    .select(record)
    .from(deliveries)
    .where(and(matches(filter), isAfter(after)))
    .orderBy(...newestFirst)
    .limit(limit);

const isAfter = (place: Place | undefined) =>
  place && sql`(${deliveries.createdAt}, ${deliveries.id}) < (${at(place.at)}, ${place.id})`;

const newestFirst = [desc(deliveries.createdAt), desc(deliveries.id)];

/** Like `listDeliveries`, with the meeting and its title, or as `subject` the person's address or an object's id. Failed are
 * those whose event has not arrived. */
export const listShownDeliveries = (db: Db, { limit, after, ...filter }: LogFilter) => {
  const data = sql`${deliveries.body}::jsonb -> 'data'`;
  return db
    .select({
      ...record,
      meetingId: deliveries.meetingId,
      meetingTitle: meetings.title,
      subject: sql<string | null>`case when ${deliveries.meetingId} is null then coalesce(
        ${data} ->> 'user_email', ${data} ->> 'proposal_id', ${data} ->> 'batch_id', ${data} ->> 'job_id') end`,
    })
    .from(deliveries)
    .leftJoin(meetings, eq(meetings.id, deliveries.meetingId))
    .where(and(matches(filter), filter.status === 'failed' ? isUndelivered : undefined, isAfter(after)))
    .orderBy(...newestFirst)
    .limit(limit);
};

export type ShownDelivery = Awaited<ReturnType<typeof listShownDeliveries>>[number];

export const findDelivery = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({ ...record, body: deliveries.body, meetingId: deliveries.meetingId })
    .from(deliveries)
    .where(and(eq(deliveries.platformId, platformId), eq(deliveries.id, id)));

export const listAttempts = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select(pick(deliveryAttempts, 'number', 'startedAt', 'sentAt', 'responseCode', 'durationMs', 'error', 'answer'))
    .from(deliveryAttempts)
    .innerJoin(deliveries, eq(deliveries.id, deliveryAttempts.deliveryId))
    .where(and(eq(deliveries.platformId, platformId), eq(deliveryAttempts.deliveryId, id)))
    .orderBy(asc(deliveryAttempts.number));

export const listDeliveriesOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ ...record, body: deliveries.body, finishedAt: deliveries.finishedAt })
    .from(deliveries)
    .where(and(eq(deliveries.platformId, platformId), eq(deliveries.meetingId, meetingId)))
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(MOST_OF_MEETING);

/** Even a meeting that is moved back and forth for a month has fewer. */
const MOST_OF_MEETING = 200;

export const listDeliveriesOfProposal = (db: Db, of: { platformId: string; proposalId: string }) =>
  db
    .select({ ...record, body: deliveries.body, finishedAt: deliveries.finishedAt })
    .from(deliveries)
    .innerJoin(proposals, and(eq(proposals.id, of.proposalId), eq(proposals.platformId, of.platformId)))
    .where(
      and(
        eq(deliveries.platformId, of.platformId),
        eq(deliveries.eventType, sql`'proposal.' || ${proposals.status}`),
        gte(deliveries.createdAt, proposals.endedAt),
        // The JSON text has the id unchanged, because an id has no character that JSON escapes.
        sql`strpos(${deliveries.body}, ${`"${of.proposalId}"`}) > 0`,
      ),
    )
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(MOST_OF_MEETING);

const MOST_OF_PERSON = 10;

export const listDeliveriesOfPerson = (db: Db, { platformId, email }: { platformId: string; email: string }) =>
  db
    .select(record)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.platformId, platformId),
        inArray(deliveries.eventType, PERSON_EVENTS),
        sql`strpos(${deliveries.body}, ${`"user_email":${JSON.stringify(email)}`}) > 0`,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(MOST_OF_PERSON);

const PERSON_EVENTS = ['user.calendar.connected', 'user.calendar.disconnected', 'user.calendar.refresh_failed'];

/** Counts from `sinceDay` on. A day on which no delivery ended has no row. */
export const listDeliveryDays = (db: Db, { platformId, sinceDay }: { platformId: string; sinceDay: string }) =>
  db
    .select({ day: deliveryDays.day, success: deliveryDays.success, failed: deliveryDays.failed })
    .from(deliveryDays)
    .where(and(eq(deliveryDays.platformId, platformId), gte(deliveryDays.day, sinceDay)))
    .orderBy(asc(deliveryDays.day));

/** Sums all days, and those since `sinceDay`, a UTC day (`YYYY-MM-DD`). */
export const sumDeliveries = (db: Db, { platformId, sinceDay }: { platformId: string; sinceDay: string }) => {
  const recent = sql`${deliveryDays.day} >= ${sinceDay}::date`;
  const sum = (value: ReturnType<typeof sql>, where = sql`true`) =>
    sql`coalesce(sum(${value}) filter (where ${where}), 0)`.mapWith(Number);
  return db
    .select({
      success: sum(sql`${deliveryDays.success}`),
      failed: sum(sql`${deliveryDays.failed}`),
      answered: sum(sql`${deliveryDays.answered}`),
      answeredMs: sum(sql`${deliveryDays.answeredMs}`),
      recentSuccess: sum(sql`${deliveryDays.success}`, recent),
      recentFailed: sum(sql`${deliveryDays.failed}`, recent),
      recentAnswered: sum(sql`${deliveryDays.answered}`, recent),
      recentAnsweredMs: sum(sql`${deliveryDays.answeredMs}`, recent),
    })
    .from(deliveryDays)
    .where(eq(deliveryDays.platformId, platformId));
};

/** Largest number to which deliveries are counted, so that a page costs the same for a platform with very many. */
export const MOST_COUNTED = 1_000;

/** Counts whatever status the filter has. The events of `failed` have not arrived. Above `MOST_COUNTED` there are more. */
export const countDeliveries = (db: Db, filter: DeliveryFilter) => {
  const of = (status: DeliveryFilter['status']) => matches({ ...filter, status });
  const upTo = (where: ReturnType<typeof and>) =>
    sql<number>`(select count(*)::int from (
      select from ${deliveries} where ${where} limit ${MOST_COUNTED + 1}::int) counted)`;
  return db.execute<{ failed: number; pending: number; success: number }>(sql`
    select ${upTo(and(of('failed'), isUndelivered))} as failed, ${upTo(of('pending'))} as pending,
      ${upTo(of('success'))} as success`);
};

const SEEN_FOR_URLS = 1_000;

export const listUrls = (db: Db, { platformId }: { platformId: string }) => {
  const newest = db
    .select({ url: deliveries.url })
    .from(deliveries)
    .where(eq(deliveries.platformId, platformId))
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(SEEN_FOR_URLS)
    .as('newest');
  return db.selectDistinct({ url: newest.url }).from(newest).orderBy(asc(newest.url));
};

export interface DeliveryFilter {
  platformId: string;
  /** `meeting.rescheduled` lists `meeting.updated`, and `meeting.scheduled` that reports a replacement. */
  event?: string | undefined;
  status?: 'success' | 'failed' | 'pending' | undefined;
  url?: string | undefined;
  /** Instants between which the deliveries were created, in epoch ms. The end is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

export const matches = ({ platformId, event, status, url, from, to }: DeliveryFilter) =>
  and(
    eq(deliveries.platformId, platformId),
    status === undefined ? undefined : eq(deliveries.status, status),
    event === undefined ? undefined : isNamed(event),
    url === undefined ? undefined : and(sql`md5(${deliveries.url}) = md5(${url})`, eq(deliveries.url, url)),
    from === undefined ? undefined : gte(deliveries.createdAt, from),
    to === undefined ? undefined : lt(deliveries.createdAt, to),
  );

const isNamed = (event: string) =>
  event === RESCHEDULED ? isRescheduled(deliveries) : eq(deliveries.eventType, event);

/** Its event has not arrived, because only the newest delivery has `event_at`. Leaves out tests. */
export const isUndelivered = sql`${deliveries.status} = 'failed' and ${deliveries.eventAt} is not null`;
