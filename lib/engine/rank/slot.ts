import { MINUTE } from '../time/dates.ts';
import { formatInZone } from '../time/zone.ts';
import type { Factor, Search, Slot } from '../types.ts';
import { twoPlaces } from './comfort.ts';
import { momentAt } from './ranked.ts';
import { fourPlaces, rulesOf, toScore } from './score.ts';

/** Returns the slot that starts at `start`, scored by the ranking table. `comfort` is that time's comfort, from 0 to 1. */
export function toSlot(search: Search, start: number, comfort: number): Slot {
  const moment = momentAt(search, start);
  const rules = rulesOf(moment);
  const factors = rules.map(({ name, multiplier }) => ({ name, multiplier }));
  return describeSlot(search, start, factors, twoPlaces(comfort));
}

/** Returns the slot that starts at `start`, scored by the given factors, with both people's local times. */
export function describeSlot(search: Search, start: number, factors: Factor[], comfort: number): Slot {
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
    comfort,
    timezone: requester.timeZone,
    factors,
    attendees: [
      { email: requester.email, startTime, timezone: requester.timeZone },
      { email: other.email, startTime: formatInZone(other.timeZone, start), timezone: other.timeZone },
    ],
  };
}

/** Multiplies the multipliers of the ranking rules that apply to a time. The product may exceed 1. */
export function productOf(factors: readonly Factor[]): number {
  let product = 1;
  for (const { multiplier } of factors) product *= multiplier;
  return product;
}
