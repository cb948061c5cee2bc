import { DAY_MINUTES } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import type { Weighed } from './ranked.ts';

/**
 * The largest difference at which two ranking products, or two comforts, count as equal. It absorbs rounding errors.
 */
export const TOLERANCE = 1e-9;
const NOON = DAY_MINUTES / 2;

/**
 * Returns true if two ranking products differ by at most 1e-9, so that a rounding error does not decide between times.
 */
export function areEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE;
}

/**
 * Returns a comparator that sorts the indexes of starts, best first: by ranking product, then by the people's own
 * rules, then by comfort, then by time.
 */
export const bestFirst =
  ({ products, comfortAt, tasteAt }: Weighed) =>
  (a: number, b: number): number => {
    const gap = edgeAt(products, b) - edgeAt(products, a);
    if (Math.abs(gap) > TOLERANCE) return gap;
    const liking = tasteAt === undefined ? 0 : tasteAt(b) - tasteAt(a);
    if (liking !== 0) return liking;
    const lead = comfortAt(b) - comfortAt(a);
    return Math.abs(lead) > TOLERANCE ? lead : a - b;
  };

/**
 * Picks at most `most` starts to try one after another, and returns their indexes in that order. No two overlap. Each
 * pick has the highest product that is left. Among equal products the start that suits the people's own rules best
 * comes first. Then `compare` decides, then the higher comfort, then the earlier start.
 */
export function pickInOrder(
  weighed: Weighed,
  duration: number,
  most: number,
  compare: (a: number, b: number) => number,
): number[] {
  const { starts, tasteAt = () => 0 } = weighed;
  const better = bestFirst(weighed);
  const picked: number[] = [];
  const isOpen = (i: number) => isClear(starts, picked, i, duration);
  const order = (a: number, b: number) =>
    tasteAt(b) - tasteAt(a) || compare(edgeAt(starts, a), edgeAt(starts, b)) || better(a, b);
  let equals: number[] = [];
  while (picked.length < most) {
    equals = equals.filter(isOpen);
    if (equals.length === 0) equals = highest(weighed, isOpen).sort(order);
    const [first] = equals;
    if (first === undefined) break;
    picked.push(first);
  }
  return picked;
}

/** How many starts on the wanted date are alternatives to a start, if other dates have alternatives too. */
const MOST_ON_THE_DATE = 3;

/**
 * Picks at most `most` starts in place of a wanted start that is not free, and returns their indexes. No two overlap.
 * At most three lie on the wanted date and at most one on each other date, unless too few dates have a start: somebody
 * who is offered five times on one afternoon has one choice. `minuteAt` returns a start's minute of the requester's
 * day. The first of these differences decides which start comes first:
 * - It is fewer days away from the wanted start.
 * - It lies in the same half of the day.
 * - Its product is not below that of the wanted start, which counts as at most 1. A start at lunch, for example, is
 *   below.
 * - Its clock time is nearer to the wanted one.
 * - It is better by `bestFirst`.
 */
export function pickNear(
  weighed: Weighed,
  wanted: { day: number; minute: number; product: number },
  minuteAt: (i: number) => number,
  duration: number,
  most: number,
): number[] {
  const { starts, days, products } = weighed;
  const good = Math.min(1, wanted.product) - TOLERANCE;
  const isWorse = (i: number) => Number(edgeAt(products, i) < good);
  const daysOff = (i: number) => Math.abs(edgeAt(days, i) - wanted.day);
  const isOtherHalf = (i: number) => Number(minuteAt(i) < NOON !== wanted.minute < NOON);
  const minutesOff = (i: number) => Math.abs(minuteAt(i) - wanted.minute);
  const better = bestFirst(weighed);
  const order = starts
    .map((_, i) => i)
    .sort(
      (a, b) =>
        daysOff(a) - daysOff(b) ||
        isOtherHalf(a) - isOtherHalf(b) ||
        isWorse(a) - isWorse(b) ||
        minutesOff(a) - minutesOff(b) ||
        better(a, b),
    );
  const picked: number[] = [];
  const isFull = (day: number) =>
    picked.filter((i) => days[i] === day).length >= (day === wanted.day ? MOST_ON_THE_DATE : 1);
  for (const isSpread of [true, false])
    for (const i of order) {
      if (picked.length === most) break;
      if (isSpread && isFull(edgeAt(days, i))) continue;
      if (isClear(starts, picked, i, duration)) picked.push(i);
    }
  return order.filter((i) => picked.includes(i));
}

/** Returns true if a slot at this start overlaps none of the picked slots. */
function isClear(starts: Weighed['starts'], picked: readonly number[], i: number, duration: number): boolean {
  for (const p of picked) if (Math.abs(edgeAt(starts, p) - edgeAt(starts, i)) < duration) return false;
  return true;
}

/** Returns those starts among the ones that `isOpen` accepts that have the highest product, in order of time. */
function highest({ products }: Weighed, isOpen: (i: number) => boolean): number[] {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < products.length; i++) if (edgeAt(products, i) > best && isOpen(i)) best = edgeAt(products, i);
  const equals: number[] = [];
  for (let i = 0; i < products.length; i++) if (edgeAt(products, i) >= best - TOLERANCE && isOpen(i)) equals.push(i);
  return equals;
}
