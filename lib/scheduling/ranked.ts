import { MINUTE } from './dates.ts';
import { edgeAt } from './intervals.ts';
import { emptyMoment, type Moment, readWallTime } from './moment.ts';
import type { Search } from './types.ts';
import { windowInterval } from './window.ts';
import { type OffsetSpan, offsetSpans } from './zone.ts';

const LONGEST_MEETING = 24 * 60 * MINUTE;

/** Both people's clocks over one search. */
export interface Clocks {
  requester: readonly OffsetSpan[];
  other: readonly OffsetSpan[];
}

/** The offsets both people's clocks have during the window. */
export function clocksOf({ requester, other, window }: Search): Clocks {
  const { start, end } = windowInterval(window, requester.timeZone);
  return {
    requester: offsetSpans(requester.timeZone, start, end + LONGEST_MEETING),
    other: offsetSpans(other.timeZone, start, end + LONGEST_MEETING),
  };
}

/** What the factors see of a meeting that starts then. */
export function momentAt(search: Search, start: number, clocks = clocksOf(search)): Moment {
  const moment = emptyMoment(search.now);
  readMoment(moment, clocks, start, search.durationMinutes * MINUTE);
  return moment;
}

/** The product of each start, by the given score. */
export function scoreAll(search: Search, starts: readonly number[], score: (moment: Moment) => number): number[] {
  const moment = emptyMoment(search.now);
  const clocks = clocksOf(search);
  const duration = search.durationMinutes * MINUTE;
  return starts.map((start) => {
    readMoment(moment, clocks, start, duration);
    return score(moment);
  });
}

/** The best starts, best first and earlier first among equals, none overlapping one before it. */
export function pickBest(
  starts: readonly number[],
  products: readonly number[],
  duration: number,
  most: number,
): number[] {
  const picked: number[] = [];
  while (picked.length < most) {
    let best = -1;
    for (let i = 0; i < starts.length; i++) {
      const isBetter = best < 0 || edgeAt(products, i) > edgeAt(products, best);
      if (isBetter && picked.every((taken) => Math.abs(edgeAt(starts, i) - edgeAt(starts, taken)) >= duration))
        best = i;
    }
    if (best < 0) return picked;
    picked.push(best);
  }
  return picked;
}

function readMoment(moment: Moment, clocks: Clocks, start: number, duration: number): void {
  moment.start = start;
  readWallTime(moment.requester, clocks.requester, start, start + duration);
  readWallTime(moment.other, clocks.other, start, start + duration);
}
