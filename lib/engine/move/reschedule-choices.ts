import { type AutoFactor, type AutoSearch, productAt } from '../rank/auto-factors.ts';
import { comfortOf } from '../rank/comfort.ts';
import { momentAt } from '../rank/ranked.ts';
import { tasteOf } from '../rank/taste.ts';
import { busyWithout } from '../rules/busy-without.ts';
import { HOUR, MINUTE } from '../time/dates.ts';
import { emptyWallTime, readWallTime } from '../time/moment.ts';
import { daysElsewhere } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import { offsetSpans } from '../time/zone.ts';
import type { Interval, SearchedPerson } from '../types.ts';
import type { Wish } from '../wish/wish.ts';
import { type AskedPart, type AskedTime, alternativesOf, bendOf, partsOf } from '../wish/wish-parts.ts';

/**
 * The input of a search for a meeting's new time. `notAt` lists the starts that the meeting had before, and `within` is
 * the range that the caller gave.
 */
export interface RescheduleSearch extends AutoSearch {
  /** The meeting's current time, from which it moves. */
  old: Interval;
  wish: Wish;
  /**
   * The time zone of the person who asked to move the meeting. The dates and clock times in that person's wish are in
   * this zone.
   */
  askerTimeZone: string;
}

/**
 * A possible new start for a meeting, with the numbers that rank it. `bend` is the cost of missing parts of the
 * person's wish. `cost` is the distance in hours from the wanted time plus the new time's drawbacks.
 */
export interface Choice {
  start: number;
  bend: number;
  /**
   * The distance in hours from the wanted time. Each day of difference counts 24 hours, even if the clocks change. If
   * the wish asks for the soonest time, it is the hours from now.
   */
  away: number;
  cost: number;
  /** The comfort of the time for both people, 0 to 1, without the part that depends on how far ahead the time is. */
  comfort: number;
  /** The rating of the time by the two people's own rules. */
  taste: number;
  isBefore: boolean;
  /**
   * True if the new time overlaps the meeting's current time. Such a start comes after all others that miss as much of
   * the wish. It is never true if the caller gave no range, if the wish asks for the soonest time, or if the time that
   * the wish asks for overlaps the current one.
   */
  isOnItself: boolean;
}

/**
 * Number of hours of distance that cost as much as half the product of the ranking factors. A time with half the
 * product therefore ranks like a time that is four hours farther away.
 */
const HOURS_PER_HALF = 4;
/** Largest difference at which two costs, or two distances from a wish, count as equal. */
export const SAME = 1e-9;

/**
 * Returns the meeting's time moved by exactly the minutes that the wish names, as [start, end] in epoch ms. Returns
 * undefined if the wish names no number of minutes.
 */
export function shiftedTime({ old, wish: { shiftMinutes, closeness } }: RescheduleSearch): number[] | undefined {
  if (shiftMinutes === undefined || typeof closeness !== 'object') return undefined;
  return [closeness.near, closeness.near + (old.end - old.start)];
}

/**
 * One alternative of a wish: "Friday after 2" in "Tuesday before noon or Friday after 2". `wish` also has everything
 * that the wish asks of all alternatives. `parts` are its parts in a form that checks times.
 */
export interface Alternative {
  wish: Wish;
  parts: readonly AskedPart[];
}

/**
 * Splits each alternative of a rescheduling wish into its parts, in the time zone of the person who asked. Each part
 * tells by how far a time misses it.
 */
export function alternativesFor({ old, wish, askerTimeZone, window }: RescheduleSearch): Alternative[] {
  const days = daysElsewhere(windowDays(window));
  const was = askedTime(askerTimeZone, old);
  return alternativesOf(wish).map((one) => ({ wish: one, parts: partsOf(one, was, askerTimeZone, days) }));
}

/** Returns the alternative of the wish from which a time differs least. Of equal alternatives, it returns the first. */
export function bestFor(alternatives: readonly Alternative[], time: AskedTime): Alternative {
  return alternatives.reduce((best, one) => (bendOf(one.parts, time) < bendOf(best.parts, time) - SAME ? one : best));
}

/** Returns a time with its wall time in a zone, in the form in which the parts of a wish check times. */
export function askedTime(timeZone: string, { start, end }: Interval): AskedTime {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  return { start, end, wall };
}

/**
 * Returns the search with both calendars free at the meeting's current time. The meeting leaves that time, so a new
 * time right beside it is not back to back with it.
 */
export function withoutOld<S extends RescheduleSearch>(search: S): S {
  const { requester, other, old } = search;
  const vacated = (person: SearchedPerson): SearchedPerson => ({
    ...person,
    busy: busyWithout(person.busy, old, person.meetings),
  });
  return { ...search, requester: vacated(requester), other: vacated(other) };
}

/**
 * Computes for each start how far it misses the wish, its distance from the wanted time and its cost. These numbers
 * rank the start as a meeting's new time.
 */
export function weighChoices(
  search: RescheduleSearch,
  alternatives: readonly Alternative[],
  factors: readonly AutoFactor[],
  starts: readonly number[],
): Choice[] {
  const { old, wish, within, askerTimeZone, durationMinutes, now } = search;
  const isNear = (start: number) => start < old.end && old.start < start + durationMinutes * MINUTE;
  const [exact] = shiftedTime(search) ?? [];
  const near = typeof wish.closeness === 'object' ? wish.closeness.near : old.start;
  const wanted = askedTime(askerTimeZone, { start: near, end: near }).wall;
  const comfort = comfortOf(search);
  const tasteAt = tasteOf(search, starts[0] ?? 0, starts.at(-1) ?? 0);
  return starts.map((start) => {
    const moment = momentAt(search, start);
    const comfortable = comfort.atAnyLead(moment);
    const taste = tasteAt?.(start) ?? 0;
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    const { day, startMinute } = time.wall;
    const bend = Math.min(...alternatives.map(({ parts }) => bendOf(parts, time)));
    const sinceNow = (start - now) / HOUR;
    const isOnItself = within !== undefined && isNear(start) && !(wish.closeness !== undefined && isNear(near));
    if (wish.closeness === 'soonest')
      return { start, bend, away: sinceNow, cost: sinceNow, comfort: comfortable, taste, isBefore: false, isOnItself };
    const away = Math.abs(day - wanted.day) * 24 + Math.abs(startMinute - wanted.startMinute) / 60;
    const product = Math.min(1, productAt(factors, moment)) * (wish.pause ? comfortable : 1);
    const cost = start === exact ? 0 : away - HOURS_PER_HALF * Math.log2(product);
    return { start, bend, away, cost, comfort: comfortable, taste, isBefore: start < near, isOnItself };
  });
}

/**
 * Compares two new times for a meeting. The first of these differences decides:
 * - The time that misses less of the wish comes first.
 * - A time that overlaps the meeting's current time comes last.
 * - The time with the lower cost comes first.
 * - The time that suits the two people's own rules better comes first, then the fairer one, then the more comfortable
 *   one.
 * - A time after the wanted one comes before a time before it, because an earlier time leaves less time to prepare.
 * - The earlier time comes first.
 */
export const byCost =
  (fairer: (a: number, b: number) => number) =>
  (a: Choice, b: Choice): number => {
    if (Math.abs(a.bend - b.bend) > SAME) return a.bend - b.bend;
    if (a.isOnItself !== b.isOnItself) return Number(a.isOnItself) - Number(b.isOnItself);
    if (Math.abs(a.cost - b.cost) > SAME) return a.cost - b.cost;
    if (a.taste !== b.taste) return b.taste - a.taste;
    const comfort = Math.abs(b.comfort - a.comfort) > SAME ? b.comfort - a.comfort : 0;
    return fairer(a.start, b.start) || comfort || Number(a.isBefore) - Number(b.isBefore) || a.start - b.start;
  };
