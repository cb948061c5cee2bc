import { DAY, HOUR } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { mostComfort } from './comfort.ts';
import { isShortNotice } from './overnight.ts';
import { bestFirst, TOLERANCE } from './pick-slots.ts';
import type { Weighed } from './ranked.ts';
import { dislikers } from './taste.ts';

/** The distance in ms from which two offered times are far enough apart to be different choices. */
const APART = 2 * HOUR;
/** The distance in ms below which two offered times are so close that they give people only one choice. */
const SIDE_BY_SIDE = HOUR;
/** A length in ms that no date reaches on any clock. Starts this far apart are never on one date. */
const LONGEST_DATE = 2 * DAY;
/**
 * Number of times, at the end of a list of offered times, that may rank a little lower to avoid a drawback, such as a
 * second time on one date.
 */
const LAST_PICKS = 2;
/**
 * Share of the highest remaining ranking product that the last offered times, or one on a quiet day such as 24 December, may lose for
 * a start without drawbacks.
 */
const GIVEN_UP_FOR_A_DATE = 0.1;
/**
 * Share of its ranking product that an offered time, alone on its date, may lose for a more comfortable start on that
 * date. It is as much as the bonus for times that come soon, which ends within a date.
 */
const GIVEN_UP_FOR_COMFORT = 0.1;
/** Factor by which a start must be more comfortable than an offered time to replace it. */
const MORE_COMFORTABLE = 1.5;
/**
 * Like `GIVEN_UP_FOR_COMFORT`, for a start that is at least `MUCH_MORE_COMFORTABLE` times as comfortable. It is as much
 * as the bonus for mid-morning. That bonus makes up for a meeting right before or after, but not for meetings on both
 * sides or for somebody's first minutes of work.
 */
const GIVEN_UP_FOR_MUCH_COMFORT = 1 / 6;
const MUCH_MORE_COMFORTABLE = 1.8;
/** Share of the best comfort from which on starts count as equally comfortable. */
const AS_COMFORTABLE = 0.9;
/**
 * Share of the highest remaining ranking product that any offered time may lose to avoid lying within two hours of
 * another offered time or at short notice.
 */
const GIVEN_UP_TO_BE_APART = 0.25;
/**
 * Drawbacks of a start, given the picks so far, as bits of one number. The weightier the drawback, the larger its bit.
 * `DISLIKED` is added once for each person who would rather not have the start. A start with `OVERLAPS` cannot be
 * picked.
 */
const [OVERLAPS, DISLIKED] = [128, 32];
const [AT_SHORT_NOTICE, ON_A_TAKEN_DATE, NEAR_A_PICK, BESIDE_A_PICK, ON_A_QUIET_DAY, NONE] = [16, 8, 4, 2, 1, 0];
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
 * - It is one of the last two picks and has any other drawback, such as a date with a pick, or it is on a day that
 *   somebody may well take off, such as 24 December. Then a start without drawbacks takes its place, if that costs at most a tenth of the product.
 * - It is uncomfortable. Then `moreComfortable` may take its place.
 *
 * With `isSpread`, a start on a date with a pick also gives way to the best start on another date that is not at short
 * notice, whatever that costs.
 */
export function pickOffers(
  weighed: Weighed,
  duration: number,
  most: number,
  { isSpread = false }: { isSpread?: boolean } = {},
): number[] {
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
    const share = isSame ? GIVEN_UP_TO_BE_APART : (isLast && own) || own & ON_A_QUIET_DAY ? GIVEN_UP_FOR_A_DATE : 0;
    const least = edgeAt(products, next) * (1 - share);
    // A start on such a day may take the place only if the pick would otherwise be near another pick or at short
    // notice.
    let others = share === 0 ? [] : highest(products, drawbacks, isSame ? ON_A_QUIET_DAY : NONE, least);
    if (others.length === 0 && isSpread && own & ON_A_TAKEN_DATE) others = highest(products, drawbacks, ON_A_QUIET_DAY);
    if (others.length === 0 && own & AS_GOOD_AS_ONE)
      others = highest(products, drawbacks, ON_A_QUIET_DAY | ON_A_TAKEN_DATE | (own & NEAR_A_PICK), least);
    const chosen = others.length === 0 ? next : firstOf(weighed, drawbacks, others);
    const best = offQuietDay(weighed, drawbacks, chosen);
    const pick = moreComfortable(weighed, drawbacks, best, least) ?? best;
    picked.push(pick);
    addDrawbacks(drawbacks, weighed, pick, duration);
  }
  return picked.sort(bestFirst(weighed));
}

/**
 * Returns the start without drawbacks that takes the place of a pick on a quiet day, for at most a tenth of the product,
 * or the pick itself.
 */
function offQuietDay(weighed: Weighed, drawbacks: Uint8Array, pick: number): number {
  const { products } = weighed;
  if (((drawbacks[pick] ?? NONE) & ON_A_QUIET_DAY) === 0) return pick;
  const others = highest(products, drawbacks, NONE, edgeAt(products, pick) * (1 - GIVEN_UP_FOR_A_DATE));
  return others.length === 0 ? pick : firstOf(weighed, drawbacks, others);
}

/**
 * Returns the start that takes the place of an uncomfortable pick because it is at least one and a half times as
 * comfortable, or undefined. Such a start has no drawback that the pick does not have. It lies in the first of these
 * places that has one:
 * - On the date of the pick, if the pick has it for itself. That may cost a tenth of the product. If it is 1.8 times as
 *   comfortable, it may cost a sixth.
 * - On a date without picks. That may cost a quarter of the product. Of all such starts, the highest product comes first.
 * - On any date, with at least the product `least`. If no date without picks has a start with three quarters of the
 *   product, it may then lie one to two hours from another pick.
 *
 * In the first and the last place, `nearestOf` chooses.
 */
function moreComfortable(weighed: Weighed, drawbacks: Uint8Array, pick: number, least: number): number | undefined {
  const { products, days, comfortAt, starts, now } = weighed;
  const enough = comfortAt(pick) * MORE_COMFORTABLE - TOLERANCE;
  if (enough > 1) return undefined;
  const [own, product] = [drawbacks[pick] ?? NONE, edgeAt(products, pick)];
  const from = (floor: number, allowed: number, day?: number, comfort = enough) => {
    const found: number[] = [];
    for (let i = 0; i < starts.length; i++) {
      if (day !== undefined && days[i] !== day) continue;
      if (edgeAt(products, i) < floor - TOLERANCE || ((drawbacks[i] ?? NONE) | allowed) !== allowed) continue;
      if (mostComfort(edgeAt(starts, i), now) >= comfort && comfortAt(i) >= comfort) found.push(i);
    }
    return found;
  };
  if ((own & ON_A_TAKEN_DATE) === 0) {
    const onTheDate = (givenUp: number, comfort: number) =>
      nearestOf(weighed, drawbacks, pick, from(product * (1 - givenUp), own, days[pick], comfort));
    const much = comfortAt(pick) * MUCH_MORE_COMFORTABLE - TOLERANCE;
    return onTheDate(GIVEN_UP_FOR_COMFORT, enough) ?? onTheDate(GIVEN_UP_FOR_MUCH_COMFORT, much);
  }
  const floor = product * (1 - GIVEN_UP_TO_BE_APART);
  const better = from(floor, own & ON_A_QUIET_DAY);
  if (better.length > 0) {
    const most = Math.max(...better.map((i) => edgeAt(products, i)));
    const ofMost = better.filter((i) => edgeAt(products, i) >= most - TOLERANCE);
    return firstOf(weighed, drawbacks, ofMost);
  }
  const hasOtherDates = highest(products, drawbacks, ON_A_QUIET_DAY, floor).length > 0;
  return nearestOf(weighed, drawbacks, pick, from(least, hasOtherDates ? own : own | NEAR_A_PICK));
}

/**
 * Returns the start nearest to a pick, of those with the fewest drawbacks and the highest taste that have at least nine
 * tenths of the best comfort. Returns undefined if there are no starts.
 */
function nearestOf(weighed: Weighed, drawbacks: Uint8Array, pick: number, some: readonly number[]): number | undefined {
  const { starts, comfortAt, tasteAt } = weighed;
  const first = firstOf(weighed, drawbacks, some);
  if (first < 0) return undefined;
  const isLike = (i: number) =>
    drawbacks[i] === drawbacks[first] &&
    tasteAt?.(i) === tasteAt?.(first) &&
    comfortAt(i) >= comfortAt(first) * AS_COMFORTABLE - TOLERANCE;
  const away = (i: number) => Math.abs(edgeAt(starts, i) - edgeAt(starts, pick));
  return some.filter(isLike).reduce((nearest, i) => (away(i) < away(nearest) ? i : nearest));
}

/** Returns one byte for each start: the flags of the drawbacks that it has on its own, whatever else is picked. */
function ownDrawbacks({ starts, now, lastOvernight, quietDays, tasteAt }: Weighed): Uint8Array {
  const drawbacks =
    quietDays === undefined ? new Uint8Array(starts.length) : quietDays.map((is) => (is ? ON_A_QUIET_DAY : NONE));
  for (let i = 0; i < starts.length; i++) {
    const start = edgeAt(starts, i);
    if (!isShortNotice(start, now) && start > lastOvernight) break;
    drawbacks[i] = (drawbacks[i] ?? NONE) | AT_SHORT_NOTICE;
  }
  if (tasteAt !== undefined)
    for (let i = 0; i < starts.length; i++) drawbacks[i] = (drawbacks[i] ?? NONE) + DISLIKED * dislikers(tasteAt(i));
  return drawbacks;
}

/** Adds the drawbacks that other starts get from a picked start: they are on its date, near it, or overlap it. */
function addDrawbacks(drawbacks: Uint8Array, { starts, days }: Weighed, pick: number, duration: number): void {
  const [start, day] = [edgeAt(starts, pick), days[pick]];
  for (const step of [-1, 1])
    for (let i = pick; i >= 0 && i < starts.length; i += step) {
      const distance = Math.abs(edgeAt(starts, i) - start);
      if (distance >= LONGEST_DATE) break;
      let added = days[i] === day ? ON_A_TAKEN_DATE : NONE;
      if (distance < APART) added |= distance < SIDE_BY_SIDE ? NEAR_A_PICK | BESIDE_A_PICK : NEAR_A_PICK;
      if (distance < duration) added |= OVERLAPS;
      drawbacks[i] = (drawbacks[i] ?? NONE) | added;
    }
}

/**
 * Returns the starts that have the highest product, in order of time. Ignores starts with a product below `least` or
 * with a drawback that is not among the `allowed` ones.
 */
function highest(products: Float64Array, drawbacks: Uint8Array, allowed: number, least = 0): number[] {
  let best = least - TOLERANCE;
  let first = products.length;
  for (let i = 0; i < products.length; i++) {
    const product = edgeAt(products, i);
    if (product <= best || ((drawbacks[i] ?? NONE) | allowed) !== allowed) continue;
    if (product > best + TOLERANCE || first === products.length) first = i;
    best = product;
  }
  const equals: number[] = [];
  for (let i = first; i < products.length; i++)
    if (edgeAt(products, i) >= best - TOLERANCE && ((drawbacks[i] ?? NONE) | allowed) === allowed) equals.push(i);
  return equals;
}

/**
 * Chooses which of several starts with equal products to offer next. Returns -1 if each of them overlaps an offered
 * one. The start with the lightest drawbacks wins, then the one that suits the people's own rules best, then the most
 * comfortable one, then the earliest.
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
    const own = drawbacks[i] ?? NONE;
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
