import { MINUTE } from './dates.ts';
import { type Edges, edgeAt } from './intervals.ts';
import { emptyMoment, type Moment, readWallTime } from './moment.ts';
import { scoreOf } from './score.ts';
import type { Search } from './types.ts';
import { type OffsetSpan, offsetSpans } from './zone.ts';

const LONGEST_MEETING = 24 * 60 * MINUTE;

/** Both people's clocks over one search. */
export interface Clocks {
  requester: readonly OffsetSpan[];
  other: readonly OffsetSpan[];
}

/** The offsets both people's clocks have for meetings that start from the first to the last of these instants. */
export function clocksOf({ requester, other }: Search, first: number, last: number): Clocks {
  return {
    requester: offsetSpans(requester.timeZone, first, last + LONGEST_MEETING),
    other: offsetSpans(other.timeZone, first, last + LONGEST_MEETING),
  };
}

/** What the factors see of a meeting that starts then. */
export function momentAt(search: Search, start: number): Moment {
  const moment = emptyMoment(search.now);
  readMoment(moment, clocksOf(search, start, start), start, search.durationMinutes * MINUTE);
  return moment;
}

/** The product of each start. */
export function scoreAll(search: Search, starts: readonly number[]): Float64Array {
  const products = new Float64Array(starts.length);
  if (starts.length === 0) return products;
  const clocks = clocksOf(search, edgeAt(starts, 0), edgeAt(starts, starts.length - 1));
  const duration = search.durationMinutes * MINUTE;
  const moment = emptyMoment(search.now);
  for (let i = 0; i < starts.length; i++) {
    readMoment(moment, clocks, edgeAt(starts, i), duration);
    products[i] = scoreOf(moment);
  }
  return products;
}

/** Positions of the best starts, best first and earlier first among equals, none overlapping one before it. */
export function pickBest(starts: readonly number[], products: Edges, duration: number, most: number): number[] {
  const picked: number[] = [];
  const isOpen = (start: number) => picked.every((i) => Math.abs(start - edgeAt(starts, i)) >= duration);
  let level = highestBelow(products, Number.POSITIVE_INFINITY);
  while (level > Number.NEGATIVE_INFINITY) {
    for (let i = 0; i < products.length; i++) {
      if (edgeAt(products, i) !== level || !isOpen(edgeAt(starts, i))) continue;
      picked.push(i);
      if (picked.length === most) return picked;
    }
    level = highestBelow(products, level);
  }
  return picked;
}

function highestBelow(values: Edges, bound: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = edgeAt(values, i);
    if (value > highest && value < bound) highest = value;
  }
  return highest;
}

function readMoment(moment: Moment, clocks: Clocks, start: number, duration: number): void {
  moment.start = start;
  readWallTime(moment.requester, clocks.requester, start, start + duration);
  readWallTime(moment.other, clocks.other, start, start + duration);
}
