import type { ComfortPart } from '../rank/comfort.ts';
import { offered } from '../rank/find-slots.ts';
import { areEqual, bestFirst } from '../rank/pick-slots.ts';
import { momentAt, weigh } from '../rank/ranked.ts';
import { toSlot } from '../rank/slot.ts';
import { type SlotFacts, slotFactsAt } from '../rank/slot-facts.ts';
import { type AppliedRule, rulesAt } from '../rank/taste.ts';
import { candidateStarts } from '../rules/candidates.ts';
import { type Objection, personObjections, searchObjections } from '../rules/objections.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import type { Search, Slot } from '../types.ts';

/**
 * The search's answer about one start time. Either rules forbid the time, or the time is free and has a rank among all
 * free starts.
 */
export type Explanation =
  | { free: false; offered: false; against: Objection[] }
  | {
      free: true;
      offered: boolean;
      against: [];
      /**
       * Place of the time among all free starts, of which there are `candidates`. The best has rank 1. The time with
       * the higher product of ranking multipliers comes first. Of equal products, the time that suits the people's own
       * rules better comes first, then the more comfortable one, then the earlier one.
       */
      rank: number;
      candidates: number;
      slot: Slot;
      /**
       * Facts from which sentences about times are written: `own` for the time that is explained, and `offered` for
       * each time that the search offers.
       */
      facts: { own: SlotFacts; offered: SlotFacts[] };
      /**
       * The rules in the two people's own words that apply to this time, such as "rather not on Fridays". They order
       * times that are otherwise equally good.
       */
      ownRules: AppliedRule[];
      /**
       * Parts of the time's comfort that lower it, such as an early start, each a factor below 1. Comfort rates from 0
       * to 1 how convenient a time is for both people, and is the product of these factors.
       */
      comfortParts: ComfortPart[];
      /**
       * The reason why the search does not offer a free time. `equal_slots_first` means that slots with an equal score
       * were offered first, because they are on other dates or suit the two people better.
       */
      passedOver?: 'overlaps_an_offered_slot' | 'better_slots_first' | 'equal_slots_first';
    };

/**
 * Explains what a search does with one start time. If both people are free then, returns the start's rank and if the
 * search offers it. Otherwise returns the rules that forbid the start, and the person each rule belongs to.
 */
export function explainTime({ start, ...search }: Search & { start: number }): Explanation {
  const starts = candidateStarts(search);
  const place = starts.indexOf(start);
  if (place < 0) return { free: false, offered: false, against: objectionsTo(search, start) };
  const weighed = weigh(search, starts);
  const { products } = weighed;
  const own = edgeAt(products, place);
  const order = bestFirst(weighed);
  const better = starts.filter((_, i) => order(i, place) < 0).length;
  const moment = momentAt(search, start);
  const picked = offered(search, weighed);
  const free = {
    free: true as const,
    against: [] as [],
    rank: better + 1,
    candidates: starts.length,
    slot: toSlot(search, start, weighed.comfortAt(place)),
    facts: {
      own: slotFactsAt(search, weighed, place),
      offered: picked.map((i) => slotFactsAt(search, weighed, i)),
    },
    ownRules: rulesAt(search, start),
    comfortParts: weighed.comfort.partsAt(moment),
  };
  if (picked.includes(place)) return { ...free, offered: true };
  if (picked.some((i) => Math.abs(edgeAt(starts, i) - start) < search.durationMinutes * MINUTE))
    return { ...free, offered: false, passedOver: 'overlaps_an_offered_slot' };
  const hasEqual = picked.some((i) => areEqual(own, edgeAt(products, i)));
  return { ...free, offered: false, passedOver: hasEqual ? 'equal_slots_first' : 'better_slots_first' };
}

function objectionsTo(search: Search, start: number): Objection[] {
  const meeting = { start, end: start + search.durationMinutes * MINUTE };
  return [
    ...searchObjections(search, meeting),
    ...personObjections(search.requester, meeting),
    ...personObjections(search.other, meeting),
  ];
}
