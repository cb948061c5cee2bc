import { candidateStarts } from '../rules/candidates.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import type { Search, Slot } from '../types.ts';
import { pickOffers } from './pick-offers.ts';
import { pickNear } from './pick-slots.ts';
import { momentAt, type Weighed, weigh } from './ranked.ts';
import { timelessScoreOf } from './score.ts';
import { toSlot } from './slot.ts';
import { type SlotFacts, slotFactsAt } from './slot-facts.ts';

export const MOST_SLOTS = 5;

/**
 * The slots that a search offers. `facts` returns for each slot, in the same order, the facts that set it apart from
 * the other slots. It computes them when called, because only sentences need them. If there are no slots, `none` has
 * the reason.
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
  if (starts.length === 0) return { slots: [], facts: () => [], none: noTimesIn(search) };
  const weighed = weigh(search, starts);
  return foundOf(search, weighed, offered(search, weighed));
}

/**
 * Returns at most five slots to offer instead of a start that is not free. Slots on the day of that start come first,
 * then slots on the nearest days. On each day the slots are as near as possible to the requested clock time, in the
 * same half of the day first. Lunch and other hours that score lower than the requested time come last in their half.
 */
export function findSlotsAround(search: Search, start: number): Found {
  const weighed = weigh(search, candidateStarts(search), timelessScoreOf);
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

/** Returns the indexes, at most five, of the starts that a search offers, best first. */
export const offered = (search: Search, weighed: Weighed): number[] =>
  pickOffers(weighed, search.durationMinutes * MINUTE, MOST_SLOTS);

function foundOf(search: Search, weighed: Weighed, picked: readonly number[], asked?: number): Found {
  return {
    slots: picked.map((i) => toSlot(search, edgeAt(weighed.starts, i), weighed.comfortAt(i))),
    facts: () => picked.map((i) => slotFactsAt(search, weighed, i, asked)),
  };
}
