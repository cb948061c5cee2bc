import { parseMinute, WEEKDAYS } from '../time/dates.ts';
import { append, cut, type Edges, edgeAt, inOrder, joined, subtract } from '../time/intervals.ts';
import { daysElsewhere, isDated, wallInstants } from '../time/wall-instants.ts';
import type { Week } from '../time/week.ts';
import { windowDays } from '../time/window.ts';
import type { FocusBlock, Interval, Search } from '../types.ts';
import { freeForMeeting, startsWithin } from './candidates.ts';
import { ALL_RULES, keptFree } from './free-time.ts';

interface Opened {
  block: FocusBlock;
  starts: number[];
}

/**
 * Returns a list for each block. The free time without any block is computed once, because a search for each would take
 * far longer. `free` is the common free time with all blocks.
 */
export function startsWithoutEachBlock(search: Search, role: 'requester' | 'other', free: Edges): Opened[] {
  const person = search[role];
  const { timeZone, focusBlocks } = person;
  if (focusBlocks.length === 0) return [];
  const without = { ...ALL_RULES, focusBlocks: false };
  const [of, ofOther] = role === 'requester' ? [without, ALL_RULES] : [ALL_RULES, without];
  // Stretches shorter than the meeting cannot hold it, so `freeForMeeting` drops them.
  const open = freeForMeeting(search, of, ofOther);
  const days = daysElsewhere(windowDays(search.window));
  const weekly = keptFree(person).flatMap((kept) => (isDated(kept) ? [] : [toMinutes(kept)]));
  return focusBlocks.map((block) => {
    const alone = wallInstants(timeZone, days, weekAlone(block, weekly));
    return { block, starts: startsWithin(stretchesWith(alone, open, free), search) };
  });
}

/** Joins what becomes free with the free time that it touches. `open` is without any block, and `free` with all. */
function stretchesWith(spans: Edges, open: Edges, free: Edges): number[] {
  const stretches: number[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const parts = cut(open, edgeAt(spans, i), edgeAt(spans, i + 1));
    for (let j = 0; j < parts.length; j += 2)
      append(stretches, ...joined(free, edgeAt(parts, j), edgeAt(parts, j + 1)));
  }
  return stretches;
}

interface Kept extends Interval {
  block: FocusBlock;
}

/** Reads a block once, because each block is compared with all others. */
const toMinutes = (block: FocusBlock): Kept => ({
  block,
  start: parseMinute(block.start),
  end: parseMinute(block.end),
});

/** Returns the wall-clock minutes that this focus block covers and no other block or rule of the person does. */
function weekAlone(block: FocusBlock, weekly: readonly Kept[]): Week {
  const { own = [], others = [] } = Object.groupBy(
    weekly.filter((kept) => kept.block.day === block.day),
    (kept) => (kept.block === block ? 'own' : 'others'),
  );
  const minutes = subtract(inOrder(own), inOrder(others));
  return WEEKDAYS.map((weekday) => (weekday === block.day ? minutes : []));
}
