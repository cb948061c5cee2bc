import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { deliveries } from '../tables/deliveries.ts';
import { type DeliveryFilter, isUndelivered, matches } from './deliveries-filter.ts';

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
