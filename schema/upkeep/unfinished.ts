import { inArray, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { deliveries } from '../tables/deliveries.ts';
import { CHANGES, pendingOperations } from '../tables/meetings.ts';

/**
 * Returns epoch ms: `bookingAt` of the oldest unfinished booking, move, cancellation or job, and `eventAt` of the
 * oldest undelivered event. Work of a suspended platform does not count.
 */
export async function findOldestUnfinished(
  db: Db,
): Promise<{ bookingAt: number | undefined; eventAt: number | undefined }> {
  const oldest = (from: typeof pendingOperations | typeof jobs | typeof deliveries) =>
    db.select({ at: sql<number | null>`min(${from.createdAt})`.mapWith(from.createdAt) }).from(from);
  const [[operation], [job], [event]] = await db.batch([
    oldest(pendingOperations).where(inArray(pendingOperations.kind, [...CHANGES])),
    oldest(jobs).where(sql`${jobs.status} = 'processing' and ${isActive(sql`${jobs.platformId}`)}`),
    oldest(deliveries).where(sql`${deliveries.status} = 'pending' and ${isActive(sql`${deliveries.platformId}`)}`),
  ]);
  const begun = [operation?.at, job?.at].filter((at) => typeof at === 'number');
  return { bookingAt: begun.length === 0 ? undefined : Math.min(...begun), eventAt: event?.at ?? undefined };
}
