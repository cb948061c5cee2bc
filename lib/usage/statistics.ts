import type { MonthSums } from '../../schema/meetings/meeting-months.ts';
import { HOUR } from '../engine/time/dates.ts';
import { monthBefore, monthOf } from './quota.ts';

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
