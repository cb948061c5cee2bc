import { candidateStarts } from './candidates.ts';
import { MINUTE } from './dates.ts';
import { offeredStarts } from './find-slots.ts';
import { edgeAt } from './intervals.ts';
import { type Objection, personObjections, searchObjections } from './objections.ts';
import { areEqual, weigh } from './ranked.ts';
import { toSlot } from './slot.ts';
import type { Search, Slot } from './types.ts';

/** What a search makes of one time: refused by rules, or free, with its place among all free starts. */
export type Explanation =
  | { free: false; offered: false; against: Objection[] }
  | {
      free: true;
      offered: boolean;
      against: [];
      /** 1 for the best of `candidates` free starts, by score, earlier first among equals. */
      rank: number;
      candidates: number;
      slot: Slot;
      /** Why a free time is not among the slots of the search; equal ones lie on other dates or parts of the day. */
      passedOver?: 'overlaps_an_offered_slot' | 'better_slots_first' | 'equal_slots_first';
    };

/** Whether a search would offer the start, and how it ranks, or which rules of which person stand against it. */
export function explainTime({ start, ...search }: Search & { start: number }): Explanation {
  const starts = candidateStarts(search);
  const place = starts.indexOf(start);
  if (place < 0) return { free: false, offered: false, against: objectionsTo(search, start) };
  const weighed = weigh(search, starts);
  const { products } = weighed;
  const own = edgeAt(products, place);
  const better = products.filter((product, i) => product > own || (product === own && i < place)).length;
  const offered = offeredStarts(search, weighed);
  const free = {
    free: true as const,
    against: [] as [],
    rank: better + 1,
    candidates: starts.length,
    slot: toSlot(search, start),
  };
  if (offered.includes(start)) return { ...free, offered: true };
  if (offered.some((taken) => Math.abs(taken - start) < search.durationMinutes * MINUTE))
    return { ...free, offered: false, passedOver: 'overlaps_an_offered_slot' };
  const hasEqual = offered.some((taken) => areEqual(own, edgeAt(products, starts.indexOf(taken))));
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
