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
import { DAY } from '../engine/time/dates.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { isDeliveryId } from './outbox.ts';

const STATS_DAYS = 30;

export interface DeliveryLog {
  deliveries: DeliveryRow[];
  /** Position from which the next page of deliveries continues, undefined on the last page. */
  next: Place | undefined;
  stats: {
    totalSent: number;
    successRate: number;
    averageMs: number;
    recent: { success: number; failed: number };
    /** Average response time in milliseconds of recent deliveries, undefined if none of them got an answer. */
    recentAverageMs: number | undefined;
  };
  /** URL to which webhook events are sent now, and whether it is enabled. Undefined if no URL was ever set. */
  destination: { url: string; enabled: boolean } | undefined;
}

/**
 * Returns a page of webhook deliveries, newest first, with statistics of finished deliveries. The statistics leave out
 * tests, and cover all time and the last 30 days in UTC including today. With no deliveries the success rate is 0. The
 * average response time covers only deliveries that got an answer.
 */
export async function deliveryLog(ctx: Pick<Ctx, 'db' | 'clock'>, filter: LogFilter): Promise<DeliveryLog> {
  const { platformId, limit } = filter;
  const sinceDay = new Date(ctx.clock.now() - (STATS_DAYS - 1) * DAY).toISOString().slice(0, 10);
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

export const deliveryNotFound = () =>
  new AppError(
    'delivery_not_found',
    'No delivery in the log has this ID. Deliveries stay in the log for 30 days. GET /v1/platform/webhook/logs lists them.',
  );

/**
 * Returns a webhook delivery as the log shows it. Throws `delivery_not_found`, even for a delivery of another platform.
 */
export async function readDelivery(ctx: Pick<Ctx, 'db'>, platformId: string, id: string): Promise<DeliveryRow> {
  const [delivery] = isDeliveryId(id) ? await findDelivery(ctx.db, { platformId, id }) : [];
  if (delivery === undefined) throw deliveryNotFound();
  return delivery;
}

/** Returns a webhook delivery like `readDelivery`, with its attempts from first to last. */
export async function readDeliveryWithAttempts(ctx: Pick<Ctx, 'db'>, platformId: string, id: string) {
  if (!isDeliveryId(id)) throw deliveryNotFound();
  const [[delivery], attempts] = await ctx.db.batch([
    findDelivery(ctx.db, { platformId, id }),
    listAttempts(ctx.db, { platformId, id }),
  ]);
  if (delivery === undefined) throw deliveryNotFound();
  return { delivery, attempts };
}
