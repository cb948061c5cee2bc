import { DAY_MINUTES, parseMinute, WEEKDAYS } from '../time/dates.ts';
import { append, cut, type Edges, edgeAt, joined } from '../time/intervals.ts';
import { daysElsewhere, isDated, wallInstants } from '../time/wall-instants.ts';
import type { Week } from '../time/week.ts';
import { windowDays } from '../time/window.ts';
import type { FocusBlock, Search } from '../types.ts';
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
  const covers = coversOf(keptFree(person).filter((kept) => !isDated(kept)));
  return focusBlocks.map((block) => {
    const alone = wallInstants(timeZone, days, weekAlone(block, covers));
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

/** Returns for each minute of each weekday the number of a person's weekly focus blocks that cover it. */
function coversOf(blocks: readonly FocusBlock[]): Int32Array[] {
  const covers = WEEKDAYS.map(() => new Int32Array(DAY_MINUTES + 1));
  for (const block of blocks) {
    const counts = covers[WEEKDAYS.indexOf(block.day)] as Int32Array;
    const [start, end] = [parseMinute(block.start), parseMinute(block.end)];
    counts[start] = (counts[start] ?? 0) + 1;
    counts[end] = (counts[end] ?? 0) - 1;
  }
  for (const counts of covers)
    for (let minute = 1; minute <= DAY_MINUTES; minute++)
      counts[minute] = (counts[minute] ?? 0) + (counts[minute - 1] ?? 0);
  return covers;
}

/** Returns the wall-clock minutes that this focus block covers and no other block or rule of the person does. */
function weekAlone(block: FocusBlock, covers: readonly Int32Array[]): Week {
  const counts = covers[WEEKDAYS.indexOf(block.day)] as Int32Array;
  const end = parseMinute(block.end);
  const minutes: number[] = [];
  for (let minute = parseMinute(block.start); minute < end; minute++)
    if (counts[minute] === 1) append(minutes, minute, minute + 1);
  return WEEKDAYS.map((weekday) => (weekday === block.day ? minutes : []));
}
