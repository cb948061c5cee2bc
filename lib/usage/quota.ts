import { findUsage } from '../../schema/usage/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { limitsOf } from '../plans.ts';

/** The UTC calendar month of an instant, as `YYYY-MM`. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** When the month's quota starts anew, epoch milliseconds. */
export function nextMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The 429 of a spent quota, with limit, used and resets_at. */
export async function quotaExceeded(ctx: Ctx, platform: Platform): Promise<AppError> {
  const now = ctx.clock.now();
  const limit = limitsOf(platform.plan).meetingsPerMonth;
  const used = await findUsage(ctx.db, { platformId: platform.id, month: monthOf(now) });
  const resetsAt = nextMonth(now);
  return new AppError(
    'quota_exceeded',
    `The plan's ${limit} meetings of this month are used; it starts anew at resets_at.`,
    {
      retryAfterSeconds: (resetsAt - now) / 1000,
      body: { limit, used, resets_at: new Date(resetsAt).toISOString() },
    },
  );
}
