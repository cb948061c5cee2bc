import type { Search } from '../../../../lib/engine/types.ts';
import { isoAt, wallAt } from './clock.ts';
import { comfortAt, isOftenTakenOff } from './comfort.ts';
import { isOvernight } from './overnight.ts';
import { tasteOrder } from './taste.ts';

const MINUTE = 60_000;

/** Returns the factors of a start, as the interface's ranking table lists them. */
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
  let [isOverLunch, isFridayAfternoon] = [false, false];
  for (const { timeZone } of [requester, other]) {
    const from = wallAt(timeZone, start);
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
  /** Not rounded. */
  comfort: number;
  factors: [string, number][];
}

/** Returns the starts ranked by their uncapped product, then by taste, then by comfort, with the earlier one first among equals. */
export function rankedStarts(search: Search, starts: readonly number[]): number[] {
  const ranks = starts.map((start) => ({
    start,
    product: roughly(productOf(factorsOf(search, start))),
    taste: tasteOrder(search, start),
    comfort: roughly(comfortAt(search, start)),
  }));
  return ranks
    .sort(
      (a, b) => b.product - a.product || compareLists(a.taste, b.taste) || b.comfort - a.comfort || a.start - b.start,
    )
    .map(({ start }) => start);
}

/** Returns a number that is the same for values that differ by less than 1e-9. */
const roughly = (value: number) => Math.round(value * 1e9);

/** Returns the slots, at most five, that a search must offer of these ranked starts. */
export function expectedSlots(search: Search, ranked: readonly number[]): OracleSlot[] {
  const duration = search.durationMinutes * MINUTE;
  const choices = ranked.map((start) => {
    const product = roughly(productOf(factorsOf(search, start)));
    return {
      start,
      ...wallAt(search.requester.timeZone, start),
      product,
      taste: tasteOrder(search, start),
      comfort: comfortAt(search, start),
    };
  });
  const taken: typeof choices = [];
  while (taken.length < 5) {
    const open = choices.filter(({ start }) =>
      taken.every((t) => start >= t.start + duration || t.start >= start + duration),
    );
    const isOtherDate = ({ date }: { date: string }) => taken.every((t) => t.date !== date);
    type Choice = (typeof choices)[number];
    const isShortNotice = ({ start }: Choice) =>
      start - search.now < 120 * MINUTE ||
      [search.requester, search.other].some((person) => isOvernight(person, search.now, start));
    const isAwayBy = (minutes: number, { start }: Choice) =>
      taken.every((t) => Math.abs(t.start - start) >= minutes * MINUTE);
    const isAway = (choice: Choice) => isAwayBy(120, choice);
    const isApart = (choice: Choice) => isAway(choice) && !isShortNotice(choice);
    const isEve = ({ start }: Choice) =>
      [search.requester, search.other].some((person) => isOftenTakenOff(person, wallAt(person.timeZone, start).date));
    const order = (choice: Choice) => [
      -choice.product,
      choice.taste[0],
      isShortNotice(choice) ? 1 : 0,
      isOtherDate(choice) ? 0 : 1,
      isAway(choice) ? 0 : 1,
      isAwayBy(60, choice) ? 0 : 1,
      isEve(choice) ? 1 : 0,
      choice.taste[1],
      -roughly(choice.comfort),
      choice.start,
    ];
    const [best, ...others] = open.sort((a, b) => compareLists(order(a), order(b)));
    if (best === undefined) break;
    // The fourth, the fifth and one on an eve may cost a tenth of the product for another date that nobody may well take off. Each may
    // cost a quarter for another date, if it would otherwise be within two hours of another or at short notice. Where no such date is
    // left, one within an hour may be on a date taken, an hour from the others.
    const mayMove = !isOtherDate(best) || isEve(best) || best.taste[0] > 0;
    const least = isApart(best) ? ((taken.length >= 3 && mayMove) || isEve(best) ? 0.9 : 1) : 0.75;
    const isOnItsOwnDate = (choice: Choice) =>
      isOtherDate(choice) && isApart(choice) && !(isApart(best) && isEve(choice));
    const isGoodEnough = (choice: Choice) => choice.product >= least * best.product - 1 && choice.taste[0] === 0;
    const enough = others.filter(isGoodEnough);
    const isAnHourAway = (choice: Choice) => isAwayBy(60, choice) && !isShortNotice(choice);
    const onATakenDate = isAnHourAway(best) ? undefined : enough.find(isAway(best) ? isApart : isAnHourAway);
    const instead = enough.find(isOnItsOwnDate) ?? onATakenDate;
    const chosen = least < 1 && instead !== undefined ? instead : best;
    const offQuietDay = open.find(
      (choice) =>
        isOtherDate(choice) &&
        isApart(choice) &&
        !isEve(choice) &&
        choice.taste[0] === 0 &&
        choice.product >= 0.9 * chosen.product - 1,
    );
    const pick = isEve(chosen) ? (offQuietDay ?? chosen) : chosen;
    // A start that is half as comfortable again takes the place of an uncomfortable one: on a date that the pick has for
    // itself for a tenth, or for a sixth if it is 1.8 times as comfortable, else on a free date for a quarter, else on any
    // date, and there an hour from the others if no free date is left.
    const isGentler = (choice: Choice) => choice.comfort >= 1.5 * pick.comfort - 1e-9;
    const isNoWorse = (choice: Choice, mayBeNear = false) =>
      [0, pick.taste[0]].includes(choice.taste[0]) &&
      isShortNotice(choice) <= isShortNotice(pick) &&
      isOtherDate(choice) >= isOtherDate(pick) &&
      (mayBeNear || isAway(choice) >= isAway(pick)) &&
      isAwayBy(60, choice) >= isAwayBy(60, pick) &&
      isEve(choice) <= isEve(pick);
    const comfortableOf = (some: Choice[]) =>
      some.filter(isGentler).sort((a, b) => compareLists(order(a).slice(1), order(b).slice(1)));
    const away = ({ start }: Choice) => Math.abs(start - pick.start);
    const nearestOf = (some: Choice[]) =>
      comfortableOf(some)
        .filter(
          (choice, _, [first = choice]) =>
            compareLists(order(choice).slice(1, -2), order(first).slice(1, -2)) === 0 &&
            choice.comfort >= 0.9 * first.comfort - 1e-9,
        )
        .sort((a, b) => away(a) - away(b) || a.start - b.start)[0];
    const onFreeDates = open.filter(
      (choice) =>
        isOtherDate(choice) && isApart(choice) && choice.taste[0] === 0 && choice.product >= 0.75 * pick.product - 1,
    );
    const gentleOnFreeDates = onFreeDates.filter((one) => isNoWorse(one) && isGentler(one));
    const most = Math.max(...gentleOnFreeDates.map(({ product }) => product));
    const isNear = onFreeDates.length === 0;
    const onItsDate = open.filter((one) => one.date === pick.date && isNoWorse(one));
    const isMuchGentler = (one: Choice) =>
      one.product >= (5 / 6) * pick.product - 1 && one.comfort >= 1.8 * pick.comfort - 1e-9;
    const gentler = isOtherDate(pick)
      ? (nearestOf(onItsDate.filter((one) => one.product >= 0.9 * pick.product - 1)) ??
        nearestOf(onItsDate.filter(isMuchGentler)))
      : (comfortableOf(gentleOnFreeDates.filter((one) => one.product >= most - 1))[0] ??
        nearestOf(open.filter((one) => one.product >= least * best.product - 1 && isNoWorse(one, isNear))));
    taken.push(gentler ?? pick);
  }
  taken.sort((a, b) => ranked.indexOf(a.start) - ranked.indexOf(b.start));
  return taken.map(({ start, comfort }) => {
    const factors = factorsOf(search, start);
    return {
      start,
      startTime: isoAt(search.requester.timeZone, start),
      endTime: isoAt(search.requester.timeZone, start + duration),
      otherStartTime: isoAt(search.other.timeZone, start),
      score: Number(Math.min(1, productOf(factors)).toFixed(4)),
      product: Number(productOf(factors).toFixed(4)),
      comfort,
      factors,
    };
  });
}

/** Compares lists of numbers, the first that differs decides. */
export function compareLists(a: number[], b: number[]): number {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place < 0 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

function productOf(factors: [string, number][]): number {
  let product = 1;
  for (const [, multiplier] of factors) product *= multiplier;
  return product;
}
