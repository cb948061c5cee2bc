import { DAY_MINUTES, HOUR } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { isShortNotice, mostComfort } from './comfort.ts';
import type { Weighed } from './ranked.ts';
import { dislikers } from './taste.ts';

const TOLERANCE = 1e-9;
/** The distance in ms from which two starts count as different choices. */
const APART = 2 * HOUR;
/** The distance in ms below which two starts on one date are as good as one. */
const SIDE_BY_SIDE = HOUR;
/** The number of picks at the end of the list that give up some product for a date of their own. */
const LAST_PICKS = 2;
/** The share of the best product that such a pick may give up. */
const GIVEN_UP_FOR_A_DATE = 0.1;
/** The share that any pick may give up to be apart, if it would be near another pick or at short notice. */
const GIVEN_UP_TO_BE_APART = 0.25;
const NOON = DAY_MINUTES / 2;
/**
 * Drawbacks of a start beside the picks so far, as numbers. A weightier drawback has a larger number. `DISLIKED` counts
 * once for each person who would rather not have the start.
 */
const DISLIKED = 32;
const [AT_SHORT_NOTICE, ON_A_TAKEN_DATE, NEAR_A_PICK, BESIDE_A_PICK, ON_AN_EVE, NONE] = [16, 8, 4, 2, 1, 0];
const SAME_CHOICE = AT_SHORT_NOTICE | NEAR_A_PICK;
const AS_GOOD_AS_ONE = AT_SHORT_NOTICE | BESIDE_A_PICK;
/** Returns true if two products differ by at most 1e-9, so that they count as equal despite rounding. */
export function areEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE;
}

/**
 * Compares two weighed starts by product, then taste, then comfort, then time, best first. Returns a negative number if
 * `a` is better.
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
 * Picks at most `most` starts to offer side by side, and returns their indexes, best first (schema/DECISIONS.md, "Slot
 * ranking"). No two overlap. Each pick has the highest product left, and `firstOf` says which of the equals it is. A pick
 * gives up a share of that product if it thereby gets a date of its own: the last two a tenth, also to leave 24 or 31
 * December, and any pick a quarter that would otherwise be the same choice as another pick. If no date is left, a pick
 * gives up the quarter to be an hour from the others, or to leave short notice for a time two hours from them.
 */
export function pickOffers(weighed: Weighed, duration: number, most: number): number[] {
  const { products } = weighed;
  const picked: number[] = [];
  const isOpen = (i: number) => isClear(weighed.starts, picked, i, duration);
  const first = (equals: readonly number[]) => firstOf(weighed, equals, picked, duration);
  let equals: number[] = [];
  while (picked.length < most) {
    let next = first(equals);
    if (next < 0) {
      equals = highest(weighed, isOpen);
      next = first(equals);
    }
    if (next < 0) break;
    const drawbacks = drawbacksOf(weighed, picked, next);
    const isLast = picked.length >= most - LAST_PICKS;
    const isSame = (drawbacks & SAME_CHOICE) !== 0;
    const share = isSame ? GIVEN_UP_TO_BE_APART : isLast && drawbacks ? GIVEN_UP_FOR_A_DATE : 0;
    const least = edgeAt(products, next) * (1 - share);
    const highestWith = (allowed: number) =>
      highest(weighed, (i) => (drawbacksOf(weighed, picked, i) | allowed) === allowed && isOpen(i), least);
    // A date on an eve is worth giving up product only if the pick would be no choice of its own.
    let others = share === 0 ? [] : highestWith(isSame ? ON_AN_EVE : NONE);
    if (others.length === 0 && drawbacks & AS_GOOD_AS_ONE)
      others = highestWith(ON_AN_EVE | ON_A_TAKEN_DATE | (drawbacks & NEAR_A_PICK));
    picked.push(others.length === 0 ? next : first(others));
  }
  return picked.sort(bestFirst(weighed));
}

/**
 * Picks at most `most` starts to try one after another, and returns their indexes in that order. No two overlap. Each
 * pick has the highest product that is left. Among equal products the higher taste decides, then `compare`, then the
 * higher comfort, then the earlier start.
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

/**
 * Picks at most `most` starts like a wanted one that is not free, and returns their indexes. The fewest days away come
 * first, then the same half of the day, then those that a rule such as lunch does not rate below the wanted one, then the
 * nearest time of day, then the best. `minuteAt` returns a start's minute of the requester's day. No two overlap.
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
  const picked: number[] = [];
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
  for (const i of order) {
    if (picked.length === most) break;
    if (isClear(starts, picked, i, duration)) picked.push(i);
  }
  return picked;
}

/** Returns true if a slot at this start overlaps none of the picked slots. */
function isClear(starts: Weighed['starts'], picked: readonly number[], i: number, duration: number): boolean {
  for (const p of picked) if (Math.abs(edgeAt(starts, p) - edgeAt(starts, i)) < duration) return false;
  return true;
}

/** Returns the open starts that share the highest product, earliest first. Returns none if that product is below `least`. */
function highest({ products }: Weighed, isOpen: (i: number) => boolean, least = Number.NEGATIVE_INFINITY): number[] {
  let best = least - TOLERANCE;
  let first = products.length;
  for (let i = 0; i < products.length; i++) {
    const product = edgeAt(products, i);
    if (product <= best || !isOpen(i)) continue;
    if (product > best + TOLERANCE || first === products.length) first = i;
    best = product;
  }
  const equals: number[] = [];
  for (let i = first; i < products.length; i++)
    if (edgeAt(products, i) >= best - TOLERANCE && isOpen(i)) equals.push(i);
  return equals;
}

/**
 * Returns the next pick among starts of equal product in order of time, or -1 if all of them overlap a pick. The start
 * with the least drawbacks comes first, then the highest taste, then the highest comfort, then the earliest start.
 */
function firstOf(weighed: Weighed, equals: readonly number[], picked: readonly number[], duration: number): number {
  const { starts, comfortAt, tasteAt, now } = weighed;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let most = -1;
  let liked = 0;
  for (const i of equals) {
    const mayBeBest = mostComfort(edgeAt(starts, i), now) > most + TOLERANCE;
    // No later start can be more comfortable than this one may be.
    if (least === NONE && !mayBeBest && tasteAt === undefined) break;
    if (!isClear(starts, picked, i, duration)) continue;
    const drawbacks = drawbacksOf(weighed, picked, i);
    const taste = tasteAt?.(i) ?? 0;
    if (drawbacks > least || (drawbacks === least && taste < liked)) continue;
    const isEqual = drawbacks === least && taste === liked;
    if (isEqual && !mayBeBest) continue;
    const comfort = comfortAt(i);
    if (isEqual && comfort <= most + TOLERANCE) continue;
    best = i;
    least = drawbacks;
    most = comfort;
    liked = taste;
  }
  return best;
}

function drawbacksOf(
  { starts, days, halfDays, now, lastOvernight, tasteAt }: Weighed,
  picked: readonly number[],
  i: number,
): number {
  const start = edgeAt(starts, i);
  let drawbacks = isShortNotice(start, now) || start <= lastOvernight ? AT_SHORT_NOTICE : NONE;
  if (halfDays?.[i] === 1) drawbacks |= ON_AN_EVE;
  for (const p of picked) {
    if (days[p] === days[i]) drawbacks |= ON_A_TAKEN_DATE;
    const distance = Math.abs(edgeAt(starts, p) - start);
    if (distance < APART) drawbacks |= distance < SIDE_BY_SIDE ? NEAR_A_PICK | BESIDE_A_PICK : NEAR_A_PICK;
  }
  return tasteAt === undefined ? drawbacks : drawbacks + DISLIKED * dislikers(tasteAt(i));
}
