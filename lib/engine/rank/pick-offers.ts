import { DAY, HOUR } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { isShortNotice, mostComfort } from './comfort.ts';
import { bestFirst, TOLERANCE } from './pick-slots.ts';
import type { Weighed } from './ranked.ts';
import { dislikers } from './taste.ts';

/** The distance in ms from which two starts count as different choices. */
const APART = 2 * HOUR;
/** The distance in ms below which two starts on one date are as good as one. */
const SIDE_BY_SIDE = HOUR;
/** A distance in ms that is longer than any date lasts on a clock. */
const LONGEST_DATE = 2 * DAY;
/** The number of picks at the end of the list that may give up some product for a date without other picks. */
const LAST_PICKS = 2;
/** The share of the highest product left that each of these last picks may give up for a start without drawbacks. */
const GIVEN_UP_FOR_A_DATE = 0.1;
/**
 * The share of the highest product left that any pick may give up if it would otherwise be within two hours of another
 * pick or at short notice.
 */
const GIVEN_UP_TO_BE_APART = 0.25;
/**
 * Drawbacks of a start, given the picks so far, as bits of one number. The weightier the drawback, the larger its bit.
 * `DISLIKED` is added once for each person who would rather not have the start. A start with `OVERLAPS` cannot be
 * picked.
 */
const [OVERLAPS, DISLIKED] = [128, 32];
const [AT_SHORT_NOTICE, ON_A_TAKEN_DATE, NEAR_A_PICK, BESIDE_A_PICK, ON_AN_EVE, NONE] = [16, 8, 4, 2, 1, 0];
const ANY = OVERLAPS - 1;
const SAME_CHOICE = AT_SHORT_NOTICE | NEAR_A_PICK;
const AS_GOOD_AS_ONE = AT_SHORT_NOTICE | BESIDE_A_PICK;

/**
 * Picks at most `most` starts to offer side by side, and returns their indexes, best first (schema/DECISIONS.md, "Slot
 * ranking"). No two overlap. A pick is a start with the highest product left, and `firstOf` chooses among equal
 * products. In these cases such a start gives way to another one, but never to one that somebody would rather not have:
 * - It lies within two hours of another pick, or is at short notice. Then a start that is not at short notice, on a
 *   date without picks, takes its place. That may cost at most a quarter of the product.
 * - No such start exists, and it lies within an hour of another pick or is at short notice. Then a start that is not at
 *   short notice takes its place, again for at most a quarter of the product. That start lies at least two hours from
 *   all picks, or at least one hour if the replaced one lies within two hours of a pick.
 * - It is one of the last two picks and has any other drawback, such as a date with a pick or 24 or 31 December. Then a
 *   start without drawbacks takes its place, if that costs at most a tenth of the product.
 */
export function pickOffers(weighed: Weighed, duration: number, most: number): number[] {
  const { products } = weighed;
  const picked: number[] = [];
  const drawbacks = ownDrawbacks(weighed);
  let equals: number[] = [];
  while (picked.length < most) {
    let next = firstOf(weighed, drawbacks, equals);
    if (next < 0) {
      equals = highest(products, drawbacks, ANY);
      next = firstOf(weighed, drawbacks, equals);
    }
    if (next < 0) break;
    const own = drawbacks[next] ?? NONE;
    const isLast = picked.length >= most - LAST_PICKS;
    const isSame = (own & SAME_CHOICE) !== 0;
    const share = isSame ? GIVEN_UP_TO_BE_APART : isLast && own ? GIVEN_UP_FOR_A_DATE : 0;
    const least = edgeAt(products, next) * (1 - share);
    // A start on 24 or 31 December may take the place only if the pick would otherwise be near another pick or at short
    // notice.
    let others = share === 0 ? [] : highest(products, drawbacks, isSame ? ON_AN_EVE : NONE, least);
    if (others.length === 0 && own & AS_GOOD_AS_ONE)
      others = highest(products, drawbacks, ON_AN_EVE | ON_A_TAKEN_DATE | (own & NEAR_A_PICK), least);
    const pick = others.length === 0 ? next : firstOf(weighed, drawbacks, others);
    picked.push(pick);
    addDrawbacks(drawbacks, weighed, pick, duration);
  }
  return picked.sort(bestFirst(weighed));
}

/** Returns the drawbacks that each start has before anything is picked. */
function ownDrawbacks({ starts, now, lastOvernight, halfDays, tasteAt }: Weighed): Uint8Array {
  const drawbacks =
    halfDays === undefined ? new Uint8Array(starts.length) : halfDays.map((is) => (is ? ON_AN_EVE : NONE));
  for (let i = 0; i < starts.length; i++) {
    const start = edgeAt(starts, i);
    if (!isShortNotice(start, now) && start > lastOvernight) break;
    drawbacks[i] = edgeAt(drawbacks, i) | AT_SHORT_NOTICE;
  }
  if (tasteAt !== undefined)
    for (let i = 0; i < starts.length; i++) drawbacks[i] = edgeAt(drawbacks, i) + DISLIKED * dislikers(tasteAt(i));
  return drawbacks;
}

/** Adds the drawbacks that starts have beside a pick: on its date, near it, or overlapping it. */
function addDrawbacks(drawbacks: Uint8Array, { starts, days }: Weighed, pick: number, duration: number): void {
  const [start, day] = [edgeAt(starts, pick), days[pick]];
  for (const step of [-1, 1])
    for (let i = pick; i >= 0 && i < starts.length; i += step) {
      const distance = Math.abs(edgeAt(starts, i) - start);
      if (distance >= LONGEST_DATE) break;
      let added = days[i] === day ? ON_A_TAKEN_DATE : NONE;
      if (distance < APART) added |= distance < SIDE_BY_SIDE ? NEAR_A_PICK | BESIDE_A_PICK : NEAR_A_PICK;
      if (distance < duration) added |= OVERLAPS;
      drawbacks[i] = edgeAt(drawbacks, i) | added;
    }
}

/**
 * Returns the starts with the highest product, in order of time. Only starts count whose product is at least `least`
 * and whose drawbacks are all among the allowed ones.
 */
function highest(products: Float64Array, drawbacks: Uint8Array, allowed: number, least = 0): number[] {
  let best = least - TOLERANCE;
  let first = products.length;
  for (let i = 0; i < products.length; i++) {
    const product = edgeAt(products, i);
    if (product <= best || (edgeAt(drawbacks, i) | allowed) !== allowed) continue;
    if (product > best + TOLERANCE || first === products.length) first = i;
    best = product;
  }
  const equals: number[] = [];
  for (let i = first; i < products.length; i++)
    if (edgeAt(products, i) >= best - TOLERANCE && (edgeAt(drawbacks, i) | allowed) === allowed) equals.push(i);
  return equals;
}

/**
 * Returns the next pick among starts of equal product in order of time, or -1 if all of them overlap a pick. The start
 * with the least drawbacks comes first, then the highest taste, then the highest comfort, then the earliest start.
 */
function firstOf(
  { starts, comfortAt, tasteAt, now }: Weighed,
  drawbacks: Uint8Array,
  equals: readonly number[],
): number {
  let best = -1;
  let least = OVERLAPS;
  let most = -1;
  let liked = 0;
  for (const i of equals) {
    const own = edgeAt(drawbacks, i);
    if (own >= OVERLAPS) continue;
    const mayBeBest = mostComfort(edgeAt(starts, i), now) > most + TOLERANCE;
    // The highest comfort that is possible falls with every later start, so no later start can beat the best one so
    // far.
    if (least === NONE && !mayBeBest && tasteAt === undefined) break;
    if (own > least) continue;
    const taste = tasteAt?.(i) ?? 0;
    if (own === least && taste < liked) continue;
    const isEqual = own === least && taste === liked;
    if (isEqual && !mayBeBest) continue;
    const comfort = comfortAt(i);
    if (isEqual && comfort <= most + TOLERANCE) continue;
    best = i;
    least = own;
    most = comfort;
    liked = taste;
  }
  return best;
}
