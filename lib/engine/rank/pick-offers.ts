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
/** Longer than any date lasts on a clock. */
const LONGEST_DATE = 2 * DAY;
/** The number of picks at the end of the list that give up some product for a date of their own. */
const LAST_PICKS = 2;
/** The share of the best product that such a pick may give up. */
const GIVEN_UP_FOR_A_DATE = 0.1;
/** The share that any pick may give up to be apart, if it would be near another pick or at short notice. */
const GIVEN_UP_TO_BE_APART = 0.25;
/**
 * Drawbacks of a start beside the picks so far, as numbers. A weightier drawback has a larger number. `DISLIKED` counts
 * once for each person who would rather not have the start. A start with `OVERLAPS` cannot be picked.
 */
const [OVERLAPS, DISLIKED] = [128, 32];
const [AT_SHORT_NOTICE, ON_A_TAKEN_DATE, NEAR_A_PICK, BESIDE_A_PICK, ON_AN_EVE, NONE] = [16, 8, 4, 2, 1, 0];
const ANY = OVERLAPS - 1;
const SAME_CHOICE = AT_SHORT_NOTICE | NEAR_A_PICK;
const AS_GOOD_AS_ONE = AT_SHORT_NOTICE | BESIDE_A_PICK;

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
    // A date on an eve is worth giving up product only if the pick would be no choice of its own.
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
 * Returns the starts with no drawback but the allowed ones that have the highest product, which is `least` at least, in
 * order of time.
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
    // No later start can be more comfortable than this one may be.
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
