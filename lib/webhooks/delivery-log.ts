import { selectDestination } from '../../schema/access/webhook-endpoints.ts';
import * as logRows from '../../schema/delivery/deliveries-log.ts';
import { attemptKey } from '../../schema/tables/deliveries.ts';
import { DAY } from '../engine/time/dates.ts';
import type { Ctx } from '../kit/context.ts';
import { errorOf } from '../kit/errors.ts';
import { pageOf } from '../kit/read-page.ts';
import { answerPlace } from '../kit/reseal.ts';
import { isDeliveryId } from './outbox.ts';

const STATS_DAYS = 30;

/**
 * Returns a page of webhook deliveries, newest first, with statistics of finished deliveries. The statistics leave out
 * tests, and cover all time and the last 30 days in UTC including today. With no deliveries the success rate is 0. The
 * average response time covers only deliveries that got an answer.
 */
export async function deliveryLog(ctx: Pick<Ctx, 'db' | 'clock'>, filter: logRows.LogFilter) {
  const [rows, ...beside] = await ctx.db.batch([
    logRows.listDeliveries(ctx.db, onePast(filter)),
    ...readsBeside(ctx, filter),
  ]);
  return logOf(rows, beside, filter);
}

export type DeliveryLog = Awaited<ReturnType<typeof deliveryLog>>;

export async function deliveryPage(ctx: Pick<Ctx, 'db' | 'clock'>, filter: logRows.LogFilter) {
  const [rows, sums, destination, counts, urls] = await ctx.db.batch([
    logRows.listShownDeliveries(ctx.db, onePast(filter)),
    ...readsBeside(ctx, filter),
    logRows.countDeliveries(ctx.db, filter),
    logRows.listUrls(ctx.db, filter),
  ]);
  const { failed = 0, pending = 0, success = 0 } = counts.rows[0] ?? {};
  return {
    ...logOf(rows, [sums, destination], filter),
    /** Counts by status. Above `MOST_COUNTED` there are more. A failed one whose event was sent again does not count. */
    counts: { failed, pending, success },
    urls: urls.map(({ url }) => url),
  };
}

/** Asks for one delivery more than the page has, which tells if another page follows. */
const onePast = (filter: logRows.LogFilter): logRows.LogFilter => ({ ...filter, limit: filter.limit + 1 });

function readsBeside({ db, clock }: Pick<Ctx, 'db' | 'clock'>, { platformId }: logRows.LogFilter) {
  const sinceDay = new Date(clock.now() - (STATS_DAYS - 1) * DAY).toISOString().slice(0, 10);
  return [logRows.sumDeliveries(db, { platformId, sinceDay }), selectDestination(db, { platformId })] as const;
}

type ReadBeside = { [N in 0 | 1]: Awaited<ReturnType<typeof readsBeside>[N]> };

function logOf<Row extends logRows.DeliveryRow>(
  found: Row[],
  { 0: [sums], 1: [destination] }: ReadBeside,
  { limit }: logRows.LogFilter,
) {
  const { rows: deliveries, next } = pageOf(found, limit, ({ createdAt: at, id }) => ({ at, id }));
  const { success = 0, failed = 0, answered = 0, answeredMs = 0 } = sums ?? {};
  const { recentSuccess = 0, recentFailed = 0, recentAnswered = 0, recentAnsweredMs = 0 } = sums ?? {};
  const totalSent = success + failed;
  const stats = {
    totalSent,
    successRate: totalSent === 0 ? 0 : Math.round((success / totalSent) * 10_000) / 10_000,
    averageMs: answered === 0 ? 0 : Math.round(answeredMs / answered),
    recent: { success: recentSuccess, failed: recentFailed },
    /** Average response time in milliseconds of recent deliveries, undefined if none of them got an answer. */
    recentAverageMs: recentAnswered === 0 ? undefined : Math.round(recentAnsweredMs / recentAnswered),
  };
  /** URL to which webhook events are sent now, and whether it is enabled. Undefined if no URL was ever set. */
  return { deliveries, next, stats, destination };
}

/** Throws `delivery_not_found`, even for a delivery of another platform. */
export async function readDelivery(ctx: Pick<Ctx, 'db'>, platformId: string, id: string): Promise<logRows.DeliveryRow> {
  const [delivery] = isDeliveryId(id) ? await logRows.findDelivery(ctx.db, { platformId, id }) : [];
  if (delivery === undefined) throw errorOf('delivery_not_found');
  return delivery;
}

/** Attempts go from first to last. Throws `delivery_not_found`, even for a delivery of another platform. */
export async function readDeliveryWithAttempts(ctx: Pick<Ctx, 'db'>, platformId: string, id: string) {
  if (!isDeliveryId(id)) throw errorOf('delivery_not_found');
  const [[delivery], attempts] = await ctx.db.batch([
    logRows.findDelivery(ctx.db, { platformId, id }),
    logRows.listAttempts(ctx.db, { platformId, id }),
  ]);
  if (delivery === undefined) throw errorOf('delivery_not_found');
  return { delivery, attempts };
}

/** An answer is undefined if the receiver sent none, and null if its encryption key is gone. */
export async function readDeliveryWithAnswers(ctx: Pick<Ctx, 'db' | 'sealer'>, platformId: string, id: string) {
  const { delivery, attempts } = await readDeliveryWithAttempts(ctx, platformId, id);
  const opened = attempts.map(async ({ answer, ...attempt }) => ({
    ...attempt,
    answer:
      answer === null
        ? undefined
        : await ctx.sealer.open(answer, answerPlace(attemptKey(id, attempt.number))).catch(() => null),
  }));
  return { delivery, attempts: await Promise.all(opened) };
}

export type AnsweredAttempt = Awaited<ReturnType<typeof readDeliveryWithAnswers>>['attempts'][number];
