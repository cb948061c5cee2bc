import { offered, slotAt } from '../rank/find-slots.ts';
import { bestFirst, weigh } from '../rank/merit.ts';
import type { MeritPart } from '../rank/parts.ts';
import { type AppliedRule, rulesAt } from '../rank/taste.ts';
import { factsOfStarts, type TimeFacts } from '../rank/time-facts.ts';
import { candidateStarts } from '../rules/free-time.ts';
import { type Objection, personObjections, searchObjections } from '../rules/objections.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import type { Search, Slot } from '../types.ts';

export type Explanation =
  | { free: false; offered: false; against: Objection[] }
  | {
      free: true;
      offered: boolean;
      against: [];
      /** Rank 1 is the best. The higher score comes first, then the higher merit, then the earlier. */
      rank: number;
      candidates: number;
      /** True if somebody asks for certain times, so that the candidates are only those. */
      isNarrowed: boolean;
      slot: Slot;
      /** For sentences: `own` is of the explained time, `offered` of each time that the search offers. */
      facts: { own: TimeFacts; offered: TimeFacts[] };
      /** The rules in the two people's own words that speak for or against this time, such as "rather not on Fridays". */
      ownRules: AppliedRule[];
      /** The parts of the time's merit that lower it, such as an early start: numbers whose product is its comfort. */
      parts: MeritPart[];
      /** `equal_slots_first`: slots with an equal score have more merit or are on other dates. */
      passedOver?: 'overlaps_an_offered_slot' | 'better_slots_first' | 'equal_slots_first';
    };

export function explainTime({ start, ...search }: Search & { start: number }): Explanation {
  const starts = candidateStarts(search);
  const place = starts.indexOf(start);
  if (place < 0) return { free: false, offered: false, against: objectionsTo(search, start) };
  const weighed = weigh(search, starts);
  const order = bestFirst(weighed);
  const better = starts.filter((_, i) => order(i, place) < 0).length;
  const picked = offered(search, weighed);
  const factsAt = factsOfStarts(search, weighed);
  const free = {
    free: true as const,
    against: [] as [],
    rank: better + 1,
    candidates: starts.length,
    isNarrowed: search.narrowedTo !== undefined,
    slot: slotAt(search, weighed, place),
    facts: { own: factsAt(place), offered: picked.map(factsAt) },
    ownRules: rulesAt(search, start),
    parts: weighed.partsAt(place),
  };
  if (picked.includes(place)) return { ...free, offered: true };
  if (picked.some((i) => Math.abs(edgeAt(starts, i) - start) < search.durationMinutes * MINUTE))
    return { ...free, offered: false, passedOver: 'overlaps_an_offered_slot' };
  const hasEqual = picked.some((i) => weighed.tiers[i] === weighed.tiers[place]);
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
