import { candidateStarts } from './candidates.ts';
import { MINUTE } from './dates.ts';
import { edgeAt } from './intervals.ts';
import { pickNear, pickSpread, type Weighed, weigh } from './ranked.ts';
import { type Relaxation, relaxationsOf } from './relaxations.ts';
import { toSlot } from './slot.ts';
import type { Search, Slot } from './types.ts';
import { whyEmpty } from './why-empty.ts';
import { localDay } from './zone.ts';

export const MOST_SLOTS = 5;

/** The slots a search offers, or why it has none and which single changes would open some. */
export interface Found {
  slots: Slot[];
  message?: string | undefined;
  relaxations?: Relaxation[];
}

/** The best mutual free slots, at most five, in the order taken (decisions, Availability). */
export function findSlots(search: Search): Found {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { slots: [], message: whyEmpty(search), relaxations: relaxationsOf(search) };
  return { slots: offeredStarts(search, weigh(search, starts)).map((start) => toSlot(search, start)) };
}

/** The slots to offer instead of a start that is not free, at most five: its own day's first, then the days next to it. */
export function findSlotsAround(search: Search, start: number): Slot[] {
  const weighed = weigh(search, candidateStarts(search));
  const wanted = { start, day: localDay(search.requester.timeZone, start) };
  const picked = pickNear(weighed, wanted, search.durationMinutes * MINUTE, MOST_SLOTS);
  return picked.map((i) => toSlot(search, edgeAt(weighed.starts, i)));
}

/** The starts a search offers, in the order taken. */
export function offeredStarts(search: Search, weighed: Weighed): number[] {
  const picked = pickSpread(weighed, search.durationMinutes * MINUTE, MOST_SLOTS);
  return picked.map((i) => edgeAt(weighed.starts, i));
}
