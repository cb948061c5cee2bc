import { candidateStarts } from '../rules/candidates.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { DAY, MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import type { Search, Slot } from '../types.ts';
import { pickOffers } from './pick-offers.ts';
import { pickNear } from './pick-slots.ts';
import { momentAt, type Weighed, weigh } from './ranked.ts';
import { timelessScoreOf } from './score.ts';
import { toSlot } from './slot.ts';
import { type SlotFacts, slotFactsAt } from './slot-facts.ts';

export const MOST_SLOTS = 5;

/**
 * The slots that a search offers. `facts` returns for each slot, in the same order, what its sentence says about it. It
 * computes this when called, because only sentences need it. If there are no slots, `none` has the reason.
 */
export interface Found {
  slots: Slot[];
  facts: () => SlotFacts[];
  none?: NoTimes | undefined;
}

/**
 * Returns at most five of the best slots at which both people are free, best first (schema/DECISIONS.md, "Slot
 * ranking").
 */
export function findSlots(search: Search): Found {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { slots: [], facts: () => [], none: noTimesIn(search, bestStart) };
  const weighed = weigh(search, starts);
  return foundOf(search, weighed, offered(search, weighed));
}

/**
 * Returns at most `most` of the best slots at which both people are free, best first, each on another date of the
 * requester as far as possible (schema/DECISIONS.md, "Proposals").
 */
export function findSpreadSlots(search: Search, most: number): Found {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { slots: [], facts: () => [], none: noTimesIn(search, bestStart) };
  const weighed = weigh(search, starts);
  return foundOf(search, weighed, pickOffers(weighed, search.durationMinutes * MINUTE, most, { isSpread: true }));
}

/**
 * Returns at most five slots to offer instead of a start that is not free: three on the day of that start, and one on
 * each of the nearest days. On each day the slots are as near as possible to the requested clock time, in the same half
 * of the day first. Lunch and other hours that score lower than the requested time come last in their half.
 */
export function findSlotsAround(search: Search, start: number, starts = candidateStarts(search)): Found {
  const weighed = weigh(search, starts, timelessScoreOf);
  const wanted = momentAt(search, start);
  const { day, startMinute: minute } = wanted.requester;
  const minutes = weighed.starts.map((other) => momentAt(search, other).requester.startMinute);
  const picked = pickNear(
    weighed,
    { day, minute, product: timelessScoreOf(wanted) },
    (i) => edgeAt(minutes, i),
    search.durationMinutes * MINUTE,
    MOST_SLOTS,
  );
  return foundOf(search, weighed, picked, start);
}

/** Chooses at most five starts to offer, and returns their indexes, best first. */
export const offered = (search: Search, weighed: Weighed): number[] =>
  pickOffers(weighed, search.durationMinutes * MINUTE, MOST_SLOTS);

/** Returns the start that a search offers first among those of the given ones that lie in the week from the first on. */
export function bestStart(search: Search, starts: readonly number[]): number {
  const [first = 0] = starts;
  const soon = starts.filter((start) => start < first + 7 * DAY);
  const duration = search.durationMinutes * MINUTE;
  const days = daysAround({ start: first, end: first + 7 * DAY + duration });
  const [best = 0] = pickOffers(weigh(search, soon, undefined, days), duration, 1);
  return edgeAt(soon, best);
}

function foundOf(search: Search, weighed: Weighed, picked: readonly number[], asked?: number): Found {
  return {
    slots: picked.map((i) => toSlot(search, edgeAt(weighed.starts, i), weighed.comfortAt(i))),
    facts: () => picked.map((i) => slotFactsAt(search, weighed, i, asked)),
  };
}
