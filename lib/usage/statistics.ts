import type { MonthSums } from '../../schema/meetings/meeting-months.ts';
import { HOUR } from '../engine/time/dates.ts';
import { monthBefore, monthOf } from './quota.ts';

/**
 * Returns the query parameters for meeting statistics: the platform or person, and the current and previous UTC month,
 * which are counted separately.
 */
export const monthsAt = (party: string, now: number) => ({
  party,
  thisMonth: monthOf(now),
  lastMonth: monthOf(monthBefore(now)),
});

/**
 * Returns the meeting statistics of a platform or a person (schema/DECISIONS.md, "What is counted").
 * - The total counts all meetings ever made, even cancelled ones. Rates are shares of that total, from 0 to 1.
 * - `acceptanceHours` is the average time from an invitation to its acceptance. `fastAcceptanceRate` is the share
 *   accepted within two hours.
 * - `preferredTimes` has the shares of live meetings by part of the day, which sum to 1.
 * - Shares and averages over no meetings are 0.
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
