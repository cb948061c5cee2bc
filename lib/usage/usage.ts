import { findUsage, isNoticeOf, selectUsage, takeNotice, takeOfMonth } from '../../schema/access/usage.ts';
import type { Guard } from '../../schema/db.ts';
import type { MonthSums } from '../../schema/meetings/meeting-months.ts';
import { findReservationDue } from '../../schema/meetings/pending-operations.ts';
import { DAY, HOUR, MINUTE } from '../engine/time/dates.ts';
import type { Ctx, Platform, PlatformRef } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { planLimitsOf } from '../kit/plans.ts';
import { insertEvent } from '../webhooks/outbox.ts';

/** Part of a plan's monthly limit at which a platform is warned. */
export const WARNED_FROM = 0.8;

/** Returns the UTC calendar month of an instant as `YYYY-MM`. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Returns the first instant of the UTC month that comes so many months later. The quota resets with the next one. */
function monthStart(ms: number, later: -1 | 1): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** Returns the next full minute, when the background sweep runs, in epoch milliseconds. */
const tickAfter = (ms: number): number => (Math.floor(ms / MINUTE) + 1) * MINUTE;

type Metered = { platformId: string; plan: string; month: string };

/**
 * Belongs in the batch that creates the meeting or replaces an attendee, which fails as `quota_exhausted` if none is
 * left. Does nothing unless `guard` holds.
 */
export const takeQuota = (
  { db }: Pick<Ctx, 'db'>,
  { platformId, plan, month, guard }: Metered & { guard?: Guard | undefined },
) => takeOfMonth(db, { platformId, month, quota: planLimitsOf(plan).meetingsPerMonth, guard });

/** Throws `quota_exceeded` if the month has none left. Only `takeQuota` decides when others book at the same time. */
export async function assertQuotaLeft(ctx: Ctx, platform: PlatformRef, usage: Usage | undefined): Promise<void> {
  const limit = usage && planLimitsOf(usage.plan).meetingsPerMonth;
  if (usage && typeof limit === 'number' && usage.used >= limit) throw await quotaExceeded(ctx, platform, usage);
}

type Usage = Awaited<ReturnType<typeof findUsage>>;

/**
 * `resets_at` is the start of the next month. But if unfinished bookings or changes have reserved the last meetings,
 * the sweep may give one back, and it is the first run after one of them is due.
 */
export async function quotaExceeded(ctx: Ctx, platform: PlatformRef, usage?: Usage) {
  const now = ctx.clock.now();
  const quota = { platformId: platform.id, month: monthOf(now) };
  const { plan, used, confirmed } = usage ?? (await findUsage(ctx.db, quota));
  // The plan may have become one without a quota since the batch was refused.
  const limit = planLimitsOf(plan).meetingsPerMonth ?? used;
  const isSpent = confirmed >= limit;
  const due = isSpent ? undefined : await findReservationDue(ctx.db, quota);
  const resetsAt = isSpent ? monthStart(now, 1) : Math.min(monthStart(now, 1), tickAfter(Math.max(due ?? now, now)));
  const answer = { retryAfterSeconds: (resetsAt - now) / 1000, usage: { limit, used, resetsAt } };
  const reset = new Date(resetsAt).toISOString();
  return isSpent
    ? new AppError(
        'quota_exceeded',
        `You have used all ${limit} meetings of your plan for this month. Wait until the count resets at ${reset}, or upgrade your plan.`,
        answer,
      )
    : new AppError(
        'quota_exceeded',
        `All ${limit} meetings of your plan for this month are used or reserved by requests in progress. Try again at ${reset}.`,
        { ...answer, mayPass: true, suggestions: [`Try again at ${reset}.`] },
      );
}

export async function batchTooLarge(ctx: Ctx, platform: Platform, total: number): Promise<AppError> {
  const now = ctx.clock.now();
  const limit = planLimitsOf(platform.plan).meetingsPerMonth;
  const [{ used } = { used: 0 }] = await selectUsage(ctx.db, { platformId: platform.id, month: monthOf(now) });
  const resetsAt = monthStart(now, 1);
  const left = Math.max(0, (limit ?? total) - used);
  return new AppError(
    'quota_exceeded',
    `This batch has ${total} meetings to book, but only ${left} of the ${limit} meetings of your plan for this month are left. Send a smaller batch, wait until the count resets at ${new Date(resetsAt).toISOString()}, or upgrade your plan.`,
    { retryAfterSeconds: (resetsAt - now) / 1_000, usage: { limit, used, resetsAt } },
  );
}

const MEETINGS = 'meetings of your plan for this month';
const UNTIL_UPGRADED = 'New meetings are refused until next month or until you upgrade your plan.';

/**
 * Returns the statements that store the usage events for 80% and 100% of the month's quota, for the batch that confirms
 * a meeting. An event is stored only when the meeting makes the count reach its threshold, once per platform, month and
 * threshold. It reports the threshold as the usage, because concurrent bookings are confirmed in any order.
 */
export function usageNotices(ctx: Ctx, { platformId, plan, month }: Omit<Metered, 'month'> & { month: string | null }) {
  const limit = planLimitsOf(plan).meetingsPerMonth;
  if (limit === null || month === null) return [];
  const now = ctx.clock.now();
  const warnFrom = Math.ceil(limit * WARNED_FROM);
  const line = (percentage: 80 | 100, threshold: number) => {
    const eventId = ctx.ids.id('notice_');
    const [type, message] =
      percentage === 80
        ? (['platform.usage_warning', `You have used ${threshold} of the ${limit} ${MEETINGS}.`] as const)
        : (['platform.usage_limit_reached', `You have used all ${limit} ${MEETINGS}. ${UNTIL_UPGRADED}`] as const);
    const facts = { platformId, used: threshold, limit, at: now, plan, message };
    const isNotice = isNoticeOf({ platformId, month, percentage, eventId });
    const { statement, deliveryId } = insertEvent(ctx, type, facts, isNotice);
    const taken = takeNotice(ctx.db, { platformId, month, percentage, threshold, eventId, now });
    return { threshold, statements: [taken, statement], deliveryId };
  };
  return [line(80, warnFrom), line(100, limit)];
}

export const monthsAt = (party: string, now: number) => ({
  party,
  thisMonth: monthOf(now),
  lastMonth: monthOf(monthStart(now, -1)),
});

/**
 * Decided in schema/DECISIONS.md, "What is counted". The total counts all meetings ever made, even cancelled ones.
 * Rates are shares of it, from 0 to 1. `acceptanceHours` is an average, and `fastAcceptanceRate` the share accepted
 * within two hours. `preferredTimes` are shares of live meetings by part of the day, which sum to 1. Over no meetings
 * all are 0.
 */
export function statisticsOf(sums: MonthSums) {
  const { made, thisMonth, lastMonth, accepted, morning, afternoon, evening } = sums;
  const held = morning + afternoon + evening;
  return {
    total: made,
    thisMonth,
    lastMonth,
    acceptanceHours: rounded(share(sums.acceptedMs, accepted) / HOUR),
    rescheduleRate: rounded(share(sums.rescheduled, made)),
    cancellationRate: rounded(share(sums.cancelled, made)),
    fastAcceptanceRate: rounded(share(sums.acceptedFast, accepted)),
    preferredTimes: { morning: share(morning, held), afternoon: share(afternoon, held), evening: share(evening, held) },
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/**
 * Goes on at the UTC month's pace so far, as if the plan had no limit. Returns undefined on the month's first day,
 * which is too short for that. All instants are epoch milliseconds.
 */
export function forecastOf({ used, limit, now }: { used: number; limit: number | null; now: number }) {
  const start = Date.parse(`${monthOf(now)}-01T00:00:00Z`);
  const end = monthStart(now, 1);
  if (now - start < DAY) return undefined;
  const pace = used / (now - start);
  const total = Math.round(pace * (end - start));
  const isOver = limit !== null && total > limit && used < limit;
  /** At the present pace. Undefined if the plan's meetings last until the end of the month. */
  const usedUpOn = isOver ? Math.floor((start + limit / pace) / DAY) * DAY : undefined;
  return { total, lastDay: end - DAY, usedUpOn };
}
