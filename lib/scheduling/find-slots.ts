import { candidateStarts } from './candidates.ts';
import { MINUTE } from './dates.ts';
import { emptyMessage } from './empty-message.ts';
import { edgeAt } from './intervals.ts';
import { pickSpread, type Weighed, weigh } from './ranked.ts';
import { toSlot } from './slot.ts';
import type { Search, Slot } from './types.ts';

export const MOST_SLOTS = 5;

/** The best mutual free slots, at most five, best first; when there are none, `message` names the rule that left nothing. */
export function findSlots(search: Search): { slots: Slot[]; message?: string } {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { slots: [], message: emptyMessage(search) };
  return { slots: offeredStarts(search, weigh(search, starts)).map((start) => toSlot(search, start)) };
}

/** The starts a search offers, in the order taken. */
export function offeredStarts(search: Search, weighed: Weighed): number[] {
  const picked = pickSpread(weighed, search.durationMinutes * MINUTE, MOST_SLOTS);
  return picked.map((i) => edgeAt(weighed.starts, i));
}
