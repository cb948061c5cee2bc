import { isNoticeOf, takeNotice } from '../../schema/usage/queries.ts';
import type { Ctx } from '../context.ts';
import { limitsOf } from '../plans.ts';
import { insertEvent } from '../webhooks/outbox.ts';

interface Metered {
  platformId: string;
  plan: string;
  month: string;
}

/**
 * The usage events a meeting may set off, each for the batch that makes it: once a platform, month and line, on the
 * crossing. Each says how many meetings made its line stands for: bookings that race settle in any order.
 */
export function usageNotices(ctx: Ctx, { platformId, plan, month }: Metered) {
  const limit = limitsOf(plan).meetingsPerMonth;
  if (limit === null) return [];
  const now = ctx.clock.now();
  const at = new Date(now).toISOString();
  const warnFrom = Math.ceil(limit * 0.8);
  const line = (percentage: 80 | 100, threshold: number) => {
    const eventId = ctx.ids.id('notice_');
    const about = { platformId, onlyIf: isNoticeOf(eventId) };
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
