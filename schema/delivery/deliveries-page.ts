import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { RESCHEDULED } from '../api/webhook-events/names.ts';
import type { Db } from '../db.ts';
import { deliveries, isRescheduled } from '../tables/deliveries.ts';

/** Largest number to which deliveries are counted, so that a page costs the same for a platform with very many. */
export const MOST_COUNTED = 1_000;

const STATUSES = ['failed', 'pending', 'success'] as const;

/** Counts whatever status the filter has. The events of `failed` have not arrived. Above `MOST_COUNTED` there are more. */
export const countDeliveries = (db: Db, filter: DeliveryFilter) => {
  const of = (status: (typeof STATUSES)[number]) => matches({ ...filter, status });
  const upTo = (where: ReturnType<typeof and>) =>
    sql<number>`(select count(*)::int from (
      select from ${deliveries} where ${where} limit ${MOST_COUNTED + 1}::int) counted)`;
  return db.execute<{ failed: number; pending: number; success: number }>(sql`
    select ${upTo(and(of('failed'), isUndelivered))} as failed, ${upTo(of('pending'))} as pending,
      ${upTo(of('success'))} as success`);
};

/** Number of a platform's newest deliveries whose URLs are offered as a filter. */
const SEEN_FOR_URLS = 1_000;

/** Builds a statement that lists the URLs to which a platform's newest deliveries were sent. */
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
  /** URL to which the events were sent. */
  url?: string | undefined;
  /** Instants between which the deliveries were created, in epoch ms. The end is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Returns an SQL condition that is true for the deliveries that match a filter. */
export const matches = ({ platformId, event, status, url, from, to }: DeliveryFilter) =>
  and(
    eq(deliveries.platformId, platformId),
    status === undefined ? undefined : eq(deliveries.status, status),
    event === undefined ? undefined : isNamed(event),
    url === undefined ? undefined : and(sql`md5(${deliveries.url}) = md5(${url})`, eq(deliveries.url, url)),
    from === undefined ? undefined : gte(deliveries.createdAt, from),
    to === undefined ? undefined : lt(deliveries.createdAt, to),
  );

/** `meeting.rescheduled` matches `meeting.updated`, and the `meeting.scheduled` of replacement meetings. */
const isNamed = (event: string) =>
  event === RESCHEDULED ? isRescheduled(deliveries) : eq(deliveries.eventType, event);

/** Its event has not arrived, because only the newest delivery has `event_at`. Leaves out tests. */
export const isUndelivered = sql`${deliveries.status} = 'failed' and ${deliveries.eventAt} is not null`;
