import type { MonthSums } from '../../schema/meetings/meeting-months.ts';
import { DAY, HOUR } from '../engine/time/dates.ts';
import { monthBefore, monthOf, nextMonth } from './quota.ts';

/** The current and previous UTC month are counted separately. */
export const monthsAt = (party: string, now: number) => ({
  party,
  thisMonth: monthOf(now),
  lastMonth: monthOf(monthBefore(now)),
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
    preferredTimes: {
      morning: share(morning, held),
      afternoon: share(afternoon, held),
      evening: share(evening, held),
    },
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Forecast of a month's meetings if they continue at the pace so far. All instants are epoch milliseconds. */
interface Forecast {
  /** Number of meetings that the whole month would have if the plan had no limit. */
  total: number;
  /** First instant of the last day of the month that the forecast is about. */
  lastDay: number;
  /** At the present pace. Undefined if the plan's meetings last until the end of the month. */
  usedUpOn: number | undefined;
}

/** Returns undefined on the first day of the UTC month, which is too short for a forecast. */
export function forecastOf({ used, limit, now }: { used: number; limit: number | null; now: number }) {
  const start = Date.parse(`${monthOf(now)}-01T00:00:00Z`);
  const end = nextMonth(now);
  if (now - start < DAY) return undefined;
  const pace = used / (now - start);
  const total = Math.round(pace * (end - start));
  const isOver = limit !== null && total > limit && used < limit;
  const forecast: Forecast = {
    total,
    lastDay: end - DAY,
    usedUpOn: isOver ? Math.floor((start + limit / pace) / DAY) * DAY : undefined,
  };
  return forecast;
}
