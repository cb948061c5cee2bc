import { findReservationDue } from '../../schema/pending-operations/queries.ts';
import { isNoticeOf, selectUsage, takeNotice, takeOfMonth } from '../../schema/usage/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { limitsOf } from '../plans.ts';
import { insertEvent } from '../webhooks/outbox.ts';

/** The UTC calendar month of an instant, as `YYYY-MM`. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The first instant of the UTC calendar month before that of an instant, epoch milliseconds. */
export function monthBefore(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}

/** When the month's quota starts anew, epoch milliseconds. */
export function nextMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const MINUTE_MS = 60_000;

/** The minute's tick that takes up what is due, epoch milliseconds. */
const tickAfter = (ms: number): number => (Math.floor(ms / MINUTE_MS) + 1) * MINUTE_MS;

interface Metered {
  platformId: string;
  plan: string;
  month: string;
}

/** Takes one meeting of the plan's month, for the batch that makes it; beyond the quota the batch is refused as `quota_exhausted`. */
export const takeQuota = ({ db }: Pick<Ctx, 'db'>, { platformId, plan, month }: Metered) =>
  takeOfMonth(db, { platformId, month, quota: limitsOf(plan).meetingsPerMonth });

/**
 * The 429 of a spent quota, with limit, used and resets_at: the next month, or, while bookings that are not done hold the
 * last places, when the first of them ends.
 */
export async function quotaExceeded(ctx: Ctx, platform: Platform): Promise<AppError> {
  const now = ctx.clock.now();
  const limit = limitsOf(platform.plan).meetingsPerMonth;
  const quota = { platformId: platform.id, month: monthOf(now) };
  const [{ used, confirmed } = { used: 0, confirmed: 0 }] = await selectUsage(ctx.db, quota);
  const isSpent = limit === null || confirmed >= limit;
  const due = isSpent ? undefined : await findReservationDue(ctx.db, quota);
  const resetsAt = isSpent ? nextMonth(now) : Math.min(nextMonth(now), tickAfter(Math.max(due ?? now, now)));
  const resets_at = new Date(resetsAt).toISOString();
  const answer = { retryAfterSeconds: (resetsAt - now) / 1000, body: { limit, used, resets_at } };
  return isSpent
    ? new AppError(
        'quota_exceeded',
        `The plan's ${limit} meetings of this month are used; they start anew at ${resets_at}.`,
        answer,
      )
    : new AppError(
        'quota_exceeded',
        `The plan's ${limit} meetings of this month are made or being made; at ${resets_at} one of them may have its place free again.`,
        { ...answer, mayPass: true, suggestions: [`Ask again at ${resets_at}.`] },
      );
}

/**
 * The usage events a meeting may set off, each for the batch that makes it: once a platform, month and line, on the
 * crossing. Each says how many meetings made its line stands for: bookings that race are confirmed in any order.
 */
export function usageNotices(ctx: Ctx, { platformId, plan, month }: Metered) {
  const limit = limitsOf(plan).meetingsPerMonth;
  if (limit === null) return [];
  const now = ctx.clock.now();
  const at = new Date(now).toISOString();
  const warnFrom = Math.ceil(limit * 0.8);
  const line = (percentage: 80 | 100, threshold: number) => {
    const eventId = ctx.ids.id('notice_');
    const about = { platformId, guard: isNoticeOf({ platformId, month, percentage, eventId }) };
    const event =
      percentage === 80
        ? insertEvent(ctx, {
            ...about,
            type: 'platform.usage_warning',
            data: {
              current_usage: threshold,
              limit,
              percentage: Math.round((threshold / limit) * 100),
              warned_at: at,
              plan,
              message: `${threshold} of the plan's ${limit} meetings of this month are used.`,
            },
          })
        : insertEvent(ctx, {
            ...about,
            type: 'platform.usage_limit_reached',
            data: {
              current_usage: threshold,
              limit,
              reached_at: at,
              plan,
              message: `All ${limit} meetings of this month are used; further ones are refused until the next month or plan.`,
            },
          });
    return {
      threshold,
      statements: [takeNotice(ctx.db, { platformId, month, percentage, threshold, eventId, now }), event.statement],
      deliveryId: event.deliveryId,
    };
  };
  return [line(80, warnFrom), line(100, limit)];
}
