import {
  type DeliveryRow,
  type LogFilter,
  type LogPlace,
  listDeliveries,
  sumDeliveries,
} from '../../schema/deliveries/log-queries.ts';
import type { Ctx } from '../context.ts';

const STATS_DAYS = 30;
const DAY_MS = 86_400_000;

export interface DeliveryLog {
  deliveries: DeliveryRow[];
  /** Where the next page begins; undefined on the last. */
  next: LogPlace | undefined;
  stats: {
    totalSent: number;
    successRate: number;
    averageMs: number;
    recent: { success: number; failed: number };
  };
}

/**
 * A page of deliveries that have ended, newest first, and how all of them went: in all, and over the last 30 days in
 * UTC, today being one. The success rate of none is 0; the average is over deliveries that got an answer.
 */
export async function deliveryLog(ctx: Pick<Ctx, 'db' | 'clock'>, filter: LogFilter): Promise<DeliveryLog> {
  const { platformId, limit } = filter;
  const sinceDay = new Date(ctx.clock.now() - (STATS_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const [rows, [sums]] = await ctx.db.batch([
    listDeliveries(ctx.db, { ...filter, limit: limit + 1 }),
    sumDeliveries(ctx.db, { platformId, sinceDay }),
  ]);
  const deliveries = rows.slice(0, limit);
  const { success = 0, failed = 0, answered = 0, answeredMs = 0, recentSuccess = 0, recentFailed = 0 } = sums ?? {};
  const totalSent = success + failed;
  return {
    deliveries,
    next: rows.length > limit ? deliveries.at(-1) : undefined,
    stats: {
      totalSent,
      successRate: totalSent === 0 ? 0 : Math.round((success / totalSent) * 10_000) / 10_000,
      averageMs: answered === 0 ? 0 : Math.round(answeredMs / answered),
      recent: { success: recentSuccess, failed: recentFailed },
    },
  };
}
