import { MINUTE } from './dates.ts';
import { momentAt } from './ranked.ts';
import { type ReasonedFactor, rulesOf, toScore } from './score.ts';
import type { Factor, Search, Slot } from './types.ts';
import { formatInZone } from './zone.ts';

/** The slot that starts then, with the ranking table's factors. */
export function toSlot(search: Search, start: number): Slot {
  return describeSlot(search, start, rulesOf(momentAt(search, start)));
}

/** The slot that starts then, with its score and reason by the given factors and both people's local times. */
export function describeSlot(search: Search, start: number, factors: readonly ReasonedFactor[]): Slot {
  const { requester, other, durationMinutes } = search;
  const end = start + durationMinutes * MINUTE;
  const startTime = formatInZone(requester.timeZone, start);
  return {
    start,
    end,
    startTime,
    endTime: formatInZone(requester.timeZone, end),
    score: toScore(productOf(factors)),
    timezone: requester.timeZone,
    reason: reasonOf(factors),
    factors: factors.map(({ name, multiplier }) => ({ name, multiplier })),
    attendees: [
      { email: requester.email, startTime, timezone: requester.timeZone },
      { email: other.email, startTime: formatInZone(other.timeZone, start), timezone: other.timeZone },
    ],
  };
}

/** The factors' product, unclamped. */
export function productOf(factors: readonly Factor[]): number {
  return factors.reduce((product, { multiplier }) => product * multiplier, 1);
}

/** A sentence from the factors: "Free for both: mid-morning (×1.2), within 3 days (×1.1)." */
export function reasonOf(factors: readonly ReasonedFactor[]): string {
  if (factors.length === 0) return 'Free for both.';
  return `Free for both: ${factors.map(({ reason, multiplier }) => `${reason} (×${multiplier})`).join(', ')}.`;
}
