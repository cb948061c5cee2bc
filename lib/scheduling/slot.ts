import { MINUTE } from './dates.ts';
import { momentAt } from './ranked.ts';
import { reasonOf } from './reason.ts';
import { fourPlaces, rulesOf, toScore } from './score.ts';
import type { Factor, Search, Slot } from './types.ts';
import { formatInZone } from './zone.ts';

/** The slot that starts then, with the ranking table's factors. */
export function toSlot(search: Search, start: number): Slot {
  const moment = momentAt(search, start);
  const rules = rulesOf(moment);
  const factors = rules.map(({ name, multiplier }) => ({ name, multiplier }));
  return describeSlot(search, start, factors, reasonOf(search, moment, rules));
}

/** The slot that starts then, with its score by the given factors and both people's local times. */
export function describeSlot(search: Search, start: number, factors: Factor[], reason: string): Slot {
  const { requester, other, durationMinutes } = search;
  const end = start + durationMinutes * MINUTE;
  const startTime = formatInZone(requester.timeZone, start);
  const product = productOf(factors);
  return {
    start,
    end,
    startTime,
    endTime: formatInZone(requester.timeZone, end),
    score: toScore(product),
    product: fourPlaces(product),
    timezone: requester.timeZone,
    reason,
    factors,
    attendees: [
      { email: requester.email, startTime, timezone: requester.timeZone },
      { email: other.email, startTime: formatInZone(other.timeZone, start), timezone: other.timeZone },
    ],
  };
}

/** The factors' product, unclamped. */
export function productOf(factors: readonly Factor[]): number {
  let product = 1;
  for (const { multiplier } of factors) product *= multiplier;
  return product;
}
