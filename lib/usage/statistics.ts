import type { MonthSums } from '../../schema/meeting-months/queries.ts';
import { monthBefore, monthOf } from './quota.ts';

/** Whose statistics are summed, with the two UTC months told apart. */
export const monthsAt = (party: string, now: number) => ({
  party,
  thisMonth: monthOf(now),
  lastMonth: monthOf(monthBefore(now)),
});

/**
 * The statistics of a platform or a person (decisions, Stats): meetings ever made, cancelled ones too; rates as shares of
 * them, 0-1; hours from an invitation to its acceptance, and which share came within two; and by part of the day the
 * shares of the meetings that are neither called off nor replaced, in sum 1. Shares and averages of nothing are 0.
 */
export function statisticsOf(sums: MonthSums) {
  const { made, thisMonth, lastMonth, accepted, morning, afternoon, evening } = sums;
  const held = morning + afternoon + evening;
  return {
    total: made,
    thisMonth,
    lastMonth,
    acceptanceHours: rounded(share(sums.acceptedMs, accepted) / 3_600_000),
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
