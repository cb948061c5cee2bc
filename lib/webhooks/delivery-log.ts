import type { Place } from '../../schema/api/paging.ts';
import {
  type DeliveryRow,
  findDelivery,
  type LogFilter,
  listAttempts,
  listDeliveries,
  sumDeliveries,
} from '../../schema/deliveries/log-queries.ts';
import { selectDestination } from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { isDeliveryId } from './outbox.ts';

const STATS_DAYS = 30;
const DAY_MS = 86_400_000;

export interface DeliveryLog {
  deliveries: DeliveryRow[];
  /** Where the next page begins; undefined on the last. */
  next: Place | undefined;
  stats: {
    totalSent: number;
    successRate: number;
    averageMs: number;
    recent: { success: number; failed: number };
    /** Undefined where none of the recent ones got an answer. */
    recentAverageMs: number | undefined;
  };
  /** Where events go now, if anywhere was ever set. */
  destination: { url: string; enabled: boolean } | undefined;
}

/**
 * A page of deliveries, newest first, and how those that have ended went, tests left out: in all, and over the last 30
 * days in UTC, today being one. The success rate of none is 0; the average is over deliveries that got an answer.
 */
export async function deliveryLog(ctx: Pick<Ctx, 'db' | 'clock'>, filter: LogFilter): Promise<DeliveryLog> {
  const { platformId, limit } = filter;
  const sinceDay = new Date(ctx.clock.now() - (STATS_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const [rows, [sums], [destination]] = await ctx.db.batch([
    listDeliveries(ctx.db, { ...filter, limit: limit + 1 }),
    sumDeliveries(ctx.db, { platformId, sinceDay }),
    selectDestination(ctx.db, { platformId }),
  ]);
  const deliveries = rows.slice(0, limit);
  const last = rows.length > limit ? deliveries.at(-1) : undefined;
  const { success = 0, failed = 0, answered = 0, answeredMs = 0 } = sums ?? {};
  const { recentSuccess = 0, recentFailed = 0, recentAnswered = 0, recentAnsweredMs = 0 } = sums ?? {};
  const totalSent = success + failed;
  return {
    deliveries,
    next: last && { at: last.createdAt, id: last.id },
    stats: {
      totalSent,
      successRate: totalSent === 0 ? 0 : Math.round((success / totalSent) * 10_000) / 10_000,
      averageMs: answered === 0 ? 0 : Math.round(answeredMs / answered),
      recent: { success: recentSuccess, failed: recentFailed },
      recentAverageMs: recentAnswered === 0 ? undefined : Math.round(recentAnsweredMs / recentAnswered),
    },
    destination,
  };
}

export const deliveryNotFound = () => new AppError('delivery_not_found', 'There is no such delivery in the log.');

/** A delivery as the log shows it. Throws `delivery_not_found`, also for another platform's. */
export async function readDelivery(ctx: Pick<Ctx, 'db'>, platformId: string, id: string): Promise<DeliveryRow> {
  const [delivery] = isDeliveryId(id) ? await findDelivery(ctx.db, { platformId, id }) : [];
  if (delivery === undefined) throw deliveryNotFound();
  return delivery;
}

/** The same with its attempts, first to last. */
export async function readDeliveryWithAttempts(ctx: Pick<Ctx, 'db'>, platformId: string, id: string) {
  if (!isDeliveryId(id)) throw deliveryNotFound();
  const [[delivery], attempts] = await ctx.db.batch([
    findDelivery(ctx.db, { platformId, id }),
    listAttempts(ctx.db, { platformId, id }),
  ]);
  if (delivery === undefined) throw deliveryNotFound();
  return { delivery, attempts };
}
