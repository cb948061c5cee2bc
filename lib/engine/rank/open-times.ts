import { candidateStarts } from '../rules/candidates.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { localDay } from '../time/zone.ts';
import { type AutoSearch, autoFactors } from './auto-factors.ts';
import { bestStart } from './find-slots.ts';
import { fourPlaces } from './parts.ts';
import { weighAuto } from './rank-auto.ts';

/** A time that suits both people, with the day number of its start on each person's clock. */
export interface PairTime {
  start: number;
  product: number;
  comfort: number;
  days: [number, number];
}

/**
 * If there are more than `most`, takes the best of every date in turn, and first those that do not overlap, so that the
 * two people's other meetings leave some free. Without times, `none` has the reason.
 */
export function openTimes(search: AutoSearch, most: number): { times: PairTime[]; none?: NoTimes } {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { times: [], none: noTimesIn(search, bestStart) };
  const weighed = weighAuto(search, starts, autoFactors(search));
  const byDate = Map.groupBy([...weighed.starts.keys()], (i) => edgeAt(weighed.days, i));
  const duration = search.durationMinutes * MINUTE;
  const lines = [...byDate.values()].map((date) => {
    const best = date.toSorted((a, b) => weighed.meritAt(b) - weighed.meritAt(a) || a - b);
    return apartFirst(best, (i) => edgeAt(weighed.starts, i), duration);
  });
  const kept: number[] = [];
  for (let turn = 0; kept.length < Math.min(most, weighed.starts.length); turn++)
    kept.push(...lines.flatMap((line) => line[turn] ?? []).slice(0, most - kept.length));
  const times = kept
    .toSorted((a, b) => a - b)
    .map((i) => {
      const start = edgeAt(weighed.starts, i);
      const days: [number, number] = [
        localDay(search.requester.timeZone, start),
        localDay(search.other.timeZone, start),
      ];
      const comfort = fourPlaces(weighed.comfortAt(i));
      return { start, product: fourPlaces(edgeAt(weighed.products, i)), comfort, days };
    });
  return { times };
}

/** Moves the entries that overlap a better one behind all that do not. */
function apartFirst(best: readonly number[], startOf: (i: number) => number, duration: number): number[] {
  const apart: number[] = [];
  const others: number[] = [];
  for (const i of best) {
    const isApart = apart.every((j) => Math.abs(startOf(i) - startOf(j)) >= duration);
    (isApart ? apart : others).push(i);
  }
  return [...apart, ...others];
}
