import type { Search } from '../../../../lib/engine/types.ts';
import { isoAt, MINUTE, wallAt } from './clock.ts';
import { comfortAt, statedAt } from './merit.ts';

/** Returns the factors of a start, as the interface's ranking table lists them. */
export function factorsOf(search: Search, start: number): [string, number][] {
  const { requester, other, durationMinutes, now } = search;
  const end = start + durationMinutes * MINUTE;
  const wall = wallAt(requester.timeZone, start);
  let [isOutside, isOverLunch, isFridayAfternoon] = [false, false, false];
  for (const { timeZone } of [requester, other]) {
    const [from, to] = [wallAt(timeZone, start), wallAt(timeZone, end)];
    if (from.minute < 8 * 60 || to.date !== from.date || to.minute > 18 * 60) isOutside = true;
    if (from.weekday === 'friday' && from.minute >= 14 * 60) isFridayAfternoon = true;
    for (let minute = start; minute < end; minute += MINUTE)
      if (Math.floor(wallAt(timeZone, minute).minute / 60) === 12) isOverLunch = true;
  }
  const factors: [string, number][] = [];
  if (isOutside) factors.push(['timezone_fairness', 0.5]);
  if (wall.minute >= 10 * 60 && wall.minute < 11 * 60) factors.push(['mid_morning', 1.2]);
  if (isFridayAfternoon) factors.push(['friday_afternoon', 0.7]);
  if (isOverLunch) factors.push(['lunch_hour', 0.8]);
  if (start - now <= 72 * 60 * MINUTE) factors.push(['recency', 1.1]);
  return factors;
}

export interface OracleSlot {
  start: number;
  startTime: string;
  endTime: string;
  otherStartTime: string;
  score: number;
  product: number;
  comfort: number;
  merit: number;
  factors: [string, number][];
}

interface Ranked {
  start: number;
  score: number;
  merit: number;
}

/**
 * Returns the starts ranked by score, then by merit, with the earlier one first among equals. On two empty calendars the
 * one with the highest product comes first of all.
 */
export function rankedStarts(search: Search, starts: readonly number[]): Ranked[] {
  const isEmpty = [search.requester, search.other].every(({ busy, meetings }) => busy.length + meetings.length === 0);
  const ranks = starts.map((start) => {
    const product = productOf(factorsOf(search, start));
    const merit = roughly(product * comfortAt(search, start));
    return { start, score: scoreOf(product), merit, worth: isEmpty ? roughly(product * statedAt(search, start)) : 0 };
  });
  const [first] = ranks.toSorted((a, b) => b.worth - a.worth || b.merit - a.merit || a.start - b.start);
  if (isEmpty && first !== undefined) first.score = Number.POSITIVE_INFINITY;
  return ranks.sort((a, b) => b.score - a.score || b.merit - a.merit || a.start - b.start);
}

const scoreOf = (product: number) => Number(Math.min(1, product).toFixed(4));

/** Returns a number that is the same for values that differ by less than 1e-9. */
const roughly = (value: number) => Math.round(value * 1e9) / 1e9;

/** Returns the slots, at most five, that a search must offer of these ranked starts. */
export function expectedSlots(search: Search, ranked: readonly Ranked[]): OracleSlot[] {
  const duration = search.durationMinutes * MINUTE;
  const choices = ranked.map((one) => ({ ...one, ...wallAt(search.requester.timeZone, one.start) }));
  const taken: typeof choices = [];
  while (taken.length < 5) {
    const spreadOf = ({ start, date, minute }: (typeof choices)[number]) => {
      const onDate = taken.filter((one) => one.date === date).length;
      const isBeside = taken.some((one) => one.date === date && Math.abs(one.start - start) < 60 * MINUTE);
      const isNear = taken.some((one) => {
        const apart = Math.abs(one.minute - minute);
        return Math.min(apart, 1440 - apart) < 120;
      });
      const isSameHalf = taken.length > 0 && taken.every((one) => one.minute < 720 === minute < 720);
      return 0.3 ** Math.min(onDate, 2) * (isBeside ? 0.3 : 1) * (isNear ? 0.75 : 1) * (isSameHalf ? 0.8 : 1);
    };
    const [best] = choices
      .filter(({ start }) => taken.every((one) => Math.abs(one.start - start) >= duration))
      .map((choice) => ({ ...choice, worth: roughly(choice.merit * spreadOf(choice)) }))
      .sort((a, b) => b.score - a.score || b.worth - a.worth || a.start - b.start);
    if (best === undefined) break;
    taken.push(best);
  }
  taken.sort((a, b) => b.score - a.score || b.merit - a.merit || a.start - b.start);
  return taken.map(({ start }) => {
    const factors = factorsOf(search, start);
    const [product, comfort] = [productOf(factors), comfortAt(search, start)];
    return {
      start,
      startTime: isoAt(search.requester.timeZone, start),
      endTime: isoAt(search.requester.timeZone, start + duration),
      otherStartTime: isoAt(search.other.timeZone, start),
      score: scoreOf(product),
      product: Number(product.toFixed(4)),
      comfort: Number(comfort.toFixed(4)),
      merit: Number((product * comfort).toFixed(4)),
      factors,
    };
  });
}

function productOf(factors: [string, number][]): number {
  let product = 1;
  for (const [, multiplier] of factors) product *= multiplier;
  return product;
}
