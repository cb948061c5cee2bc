import { MINUTE } from './dates.ts';
import { momentAt } from './ranked.ts';
import { type Rule, rulesOf, toScore } from './score.ts';
import type { Factor, Search, Slot } from './types.ts';
import { formatInZone } from './zone.ts';

/** The slot that starts then, with its score, factors, reason and both people's local times. */
export function toSlot(search: Search, start: number): Slot {
  const { requester, other, durationMinutes } = search;
  const end = start + durationMinutes * MINUTE;
  const rules = rulesOf(momentAt(search, start));
  return {
    start,
    end,
    startTime: formatInZone(requester.timeZone, start),
    endTime: formatInZone(requester.timeZone, end),
    score: toScore(productOf(rules)),
    timezone: requester.timeZone,
    reason: reasonOf(rules),
    factors: rules.map(({ name, multiplier }) => ({ name, multiplier })),
    attendees: [requester, other].map(({ email, timeZone }) => ({
      email,
      startTime: formatInZone(timeZone, start),
      timezone: timeZone,
    })),
  };
}

/** The factors' product, unclamped. */
export function productOf(factors: readonly Factor[]): number {
  return factors.reduce((product, { multiplier }) => product * multiplier, 1);
}

/** A sentence from the factors: "Free for both: mid-morning (×1.2), within 3 days (×1.1)." */
export function reasonOf(rules: readonly Pick<Rule, 'reason' | 'multiplier'>[]): string {
  if (rules.length === 0) return 'Free for both.';
  return `Free for both: ${rules.map(({ reason, multiplier }) => `${reason} (×${multiplier})`).join(', ')}.`;
}
