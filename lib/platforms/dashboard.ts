import { findMaskedKey } from '../../schema/api-keys/queries.ts';
import { countConnections } from '../../schema/connections/queries.ts';
import { batch } from '../../schema/db.ts';
import { sumOutcomes, sumUsage } from '../../schema/platforms/stats-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { userGone } from '../errors.ts';
import { limitsOf } from '../plans.ts';
import { monthBefore, monthOf } from '../usage/quota.ts';

/** A platform's usage and statistics; months are those of UTC, and shares and averages of nothing are 0. */
export async function readDashboard(ctx: Ctx, platform: Platform) {
  const now = ctx.clock.now();
  const platformId = platform.id;
  const {
    usage: [usage],
    people: [people],
    outcomes: [outcomes],
    key: [key],
  } = await batch(ctx.db, {
    usage: sumUsage(ctx.db, { platformId, thisMonth: monthOf(now), lastMonth: monthOf(monthBefore(now)) }),
    people: countConnections(ctx.db, { platformId }),
    outcomes: sumOutcomes(ctx.db, { platformId }),
    key: findMaskedKey(ctx.db, { platformId }),
  });
  // A sum over nothing is a row too; only the key can have ended meanwhile.
  if (usage === undefined || people === undefined || outcomes === undefined || key === undefined) throw userGone();
  const { meetingsPerMonth: limit } = limitsOf(platform.plan);
  const share = (part: number) => (outcomes.meetings === 0 ? 0 : rounded(part / outcomes.meetings));
  return {
    usage: { used: usage.used, limit, remaining: limit === null ? null : Math.max(0, limit - usage.used) },
    connectedUsers: people.count,
    stats: {
      total: usage.total,
      thisMonth: usage.thisMonth,
      lastMonth: usage.lastMonth,
      acceptanceHours: rounded(outcomes.acceptanceHours),
      rescheduleRate: share(outcomes.rescheduled),
      cancellationRate: share(outcomes.cancelled),
    },
    maskedKey: key.masked,
  };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
