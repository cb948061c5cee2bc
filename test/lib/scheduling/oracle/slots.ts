import type { Search } from '../../../../lib/scheduling/types.ts';
import { isoAt, wallAt } from './clock.ts';

const MINUTE = 60_000;

/** The factors of a start, as the interface's ranking table lists them. */
export function factorsOf(search: Search, start: number): [string, number][] {
  const { requester, other, durationMinutes, now } = search;
  const end = start + durationMinutes * MINUTE;
  const wall = wallAt(requester.timeZone, start);
  let isOutside = false;
  for (const { timeZone } of [requester, other]) {
    const from = wallAt(timeZone, start);
    const to = wallAt(timeZone, end);
    if (from.minute < 8 * 60 || to.date !== from.date || to.minute > 18 * 60) isOutside = true;
  }
  let isOverLunch = false;
  for (let minute = start; minute < end; minute += MINUTE)
    if (Math.floor(wallAt(requester.timeZone, minute).minute / 60) === 12) isOverLunch = true;
  const factors: [string, number][] = [];
  if (isOutside) factors.push(['timezone_fairness', 0.5]);
  if (wall.minute >= 10 * 60 && wall.minute < 11 * 60) factors.push(['mid_morning', 1.2]);
  if (wall.weekday === 'friday' && wall.minute >= 14 * 60) factors.push(['friday_afternoon', 0.7]);
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
  reason: string;
  factors: [string, number][];
}

/** The starts ranked: by the unclamped product, earlier first among equals. */
export function rankedStarts(search: Search, starts: readonly number[]): number[] {
  const products = new Map(starts.map((start) => [start, productOf(factorsOf(search, start))]));
  return [...starts].sort((a, b) => (products.get(b) ?? 0) - (products.get(a) ?? 0) || a - b);
}

/** The at most five slots a search must answer, of these ranked starts. */
export function expectedSlots(search: Search, ranked: readonly number[]): OracleSlot[] {
  const duration = search.durationMinutes * MINUTE;
  const choices = ranked.map((start) => {
    const { date, minute } = wallAt(search.requester.timeZone, start);
    const part = minute < 12 * 60 ? 'morning' : minute < 17 * 60 ? 'afternoon' : 'evening';
    return { start, date, part, product: productOf(factorsOf(search, start)) };
  });
  const taken: typeof choices = [];
  while (taken.length < 5) {
    const open = choices.filter(({ start }) =>
      taken.every((t) => start >= t.start + duration || t.start >= start + duration),
    );
    const best = Math.max(...open.map(({ product }) => product));
    const equal = open.filter(({ product }) => product > best - 1e-9);
    const onDate = (date: string) => taken.filter((t) => t.date === date).length;
    const inPart = (part: string) => taken.filter((t) => t.part === part).length;
    equal.sort((a, b) => onDate(a.date) - onDate(b.date) || inPart(a.part) - inPart(b.part) || a.start - b.start);
    if (!equal[0]) break;
    taken.push(equal[0]);
  }
  return taken.map(({ start }) => {
    const factors = factorsOf(search, start);
    return {
      start,
      startTime: isoAt(search.requester.timeZone, start),
      endTime: isoAt(search.requester.timeZone, start + duration),
      otherStartTime: isoAt(search.other.timeZone, start),
      score: Number(Math.min(1, productOf(factors)).toFixed(4)),
      product: Number(productOf(factors).toFixed(4)),
      reason: reasonFor(search, start, factors),
      factors,
    };
  });
}

function reasonFor({ requester, other, durationMinutes }: Search, start: number, factors: [string, number][]): string {
  const has = (name: string) => factors.some(([factor]) => factor === name);
  let when = 'A time';
  if (has('mid_morning')) when = has('recency') ? 'Mid-morning within the next three days,' : 'Mid-morning,';
  else if (has('recency')) when = 'Within the next three days,';
  const costs: string[] = [];
  if (has('timezone_fairness')) {
    const sides = [requester, other].map(({ email, timeZone }) => {
      if (wallAt(timeZone, start).minute < 8 * 60) return { email, side: 'before 8am' };
      const end = wallAt(timeZone, start + durationMinutes * MINUTE);
      const isLate = end.minute > 18 * 60 || end.date !== wallAt(timeZone, start).date;
      return { email, side: isLate ? 'past 6pm' : '' };
    });
    if (sides[0]?.side === sides[1]?.side) costs.push(`${sides[0]?.side} for both`);
    else for (const { email, side } of sides) if (side) costs.push(`${side} for ${email}`);
  }
  if (has('friday_afternoon')) costs.push('on a Friday afternoon');
  if (has('lunch_hour')) costs.push('over the lunch hour');
  return `${when} when both are free${costs.length > 0 ? `, but ${costs.join(' and ')}` : ''}.`;
}

function productOf(factors: [string, number][]): number {
  let product = 1;
  for (const [, multiplier] of factors) product *= multiplier;
  return product;
}
