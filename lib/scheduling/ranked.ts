import { DAY, MINUTE } from './dates.ts';
import { edgeAt } from './intervals.ts';
import { emptyMoment, type Moment, partIndex, readWallTime } from './moment.ts';
import { scoreOf } from './score.ts';
import type { Search } from './types.ts';
import { type OffsetSpan, offsetSpans } from './zone.ts';

const LONGEST_MEETING = 24 * 60 * MINUTE;
/** A slot on the same date outweighs any number in the same part of the day. */
const A_DATE = 1000;
const TOLERANCE = 1e-9;

/** Both people's clocks over one search. */
export interface Clocks {
  requester: readonly OffsetSpan[];
  other: readonly OffsetSpan[];
}

/** Starts in order of time, with what decides among them. */
export interface Weighed {
  starts: readonly number[];
  products: Float64Array;
  /** The requester's local day of each start, and the part of it. */
  days: Int32Array;
  parts: Uint8Array;
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

/** The starts with the product each has; by the interface's ranking table unless told otherwise. */
export function weigh(search: Search, starts: readonly number[], productAt = scoreOf): Weighed {
  const count = starts.length;
  const products = new Float64Array(count);
  const days = new Int32Array(count);
  const parts = new Uint8Array(count);
  if (count === 0) return { starts, products, days, parts };
  const clocks = clocksOf(search, edgeAt(starts, 0), edgeAt(starts, count - 1));
  const duration = search.durationMinutes * MINUTE;
  const moment = emptyMoment(search.now);
  for (let i = 0; i < count; i++) {
    readMoment(moment, clocks, edgeAt(starts, i), duration);
    products[i] = productAt(moment);
    days[i] = moment.requester.day;
    parts[i] = partIndex(moment.requester);
  }
  return { starts, products, days, parts };
}

/**
 * Positions of the starts to offer, in the order taken: each time the highest product that overlaps none taken yet; among
 * equals the date with the fewest taken, then the part of the day with the fewest, then the earliest (decisions,
 * Availability). `compare` tells which of two equal starts goes before all that.
 */
export function pickSpread(
  weighed: Weighed,
  duration: number,
  most: number,
  compare?: (a: number, b: number) => number,
): number[] {
  const { starts } = weighed;
  const picked: number[] = [];
  const isOpen = (i: number) => isClear(starts, picked, i, duration);
  let equals: number[] = [];
  while (picked.length < most) {
    equals = equals.filter(isOpen);
    if (equals.length === 0) equals = highest(weighed, isOpen);
    const open = compare === undefined ? equals : leastBy(starts, equals, compare);
    const [first] = open;
    if (first === undefined) break;
    picked.push(picked.length === 0 ? first : leastTaken(weighed, open, picked));
  }
  return picked;
}

/** Positions of the starts by how many days they are from the one wanted, then by product, then by the time of day. */
export function pickNear(
  { starts, products, days }: Weighed,
  wanted: { start: number; day: number },
  duration: number,
  most: number,
): number[] {
  const daysOff = (i: number) => edgeAt(days, i) - wanted.day;
  const timeOff = (i: number) => Math.abs(edgeAt(starts, i) - wanted.start - daysOff(i) * DAY);
  const better = (a: number, b: number) => {
    const gap = edgeAt(products, b) - edgeAt(products, a);
    return Math.abs(daysOff(a)) - Math.abs(daysOff(b)) || (Math.abs(gap) > TOLERANCE ? gap : timeOff(a) - timeOff(b));
  };
  const picked: number[] = [];
  for (const i of starts.map((_, i) => i).sort(better)) {
    if (picked.length === most) break;
    if (isClear(starts, picked, i, duration)) picked.push(i);
  }
  return picked;
}

/** Whether two products count as the same. */
export function areEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE;
}

/** Whether a slot at this start overlaps none of the picked ones. */
function isClear(starts: Weighed['starts'], picked: number[], i: number, duration: number): boolean {
  return picked.every((p) => Math.abs(edgeAt(starts, p) - edgeAt(starts, i)) >= duration);
}

function highest({ products }: Weighed, isOpen: (i: number) => boolean): number[] {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < products.length; i++) {
    const product = edgeAt(products, i);
    if (product > best && isOpen(i)) best = product;
  }
  const equals: number[] = [];
  for (let i = 0; i < products.length; i++) if (edgeAt(products, i) >= best - TOLERANCE && isOpen(i)) equals.push(i);
  return equals;
}

function leastBy(
  starts: Weighed['starts'],
  equals: readonly number[],
  compare: (a: number, b: number) => number,
): number[] {
  let least: number[] = [];
  for (const i of equals) {
    const order = least.length === 0 ? -1 : compare(edgeAt(starts, i), edgeAt(starts, edgeAt(least, 0)));
    if (order < 0) least = [i];
    else if (order === 0) least.push(i);
  }
  return least;
}

function leastTaken({ days, parts }: Weighed, equals: readonly number[], picked: readonly number[]): number {
  let best = -1;
  let fewest = Number.POSITIVE_INFINITY;
  for (const i of equals) {
    let taken = 0;
    for (const p of picked) {
      if (days[p] === days[i]) taken += A_DATE;
      if (parts[p] === parts[i]) taken += 1;
    }
    if (taken >= fewest) continue;
    best = i;
    fewest = taken;
  }
  return best;
}

function readMoment(moment: Moment, clocks: Clocks, start: number, duration: number): void {
  moment.start = start;
  readWallTime(moment.requester, clocks.requester, start, start + duration);
  readWallTime(moment.other, clocks.other, start, start + duration);
}
