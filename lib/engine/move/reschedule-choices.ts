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
   * Time zone of the person who asked to move the meeting. The dates and clock times of that person's request are in
   * this zone.
   */
  askerTimeZone: string;
  /** Email address of the person who asked, whose own settings give way to their words. Undefined for a guest. */
  askedBy?: string | undefined;
}

/**
 * Possible new start for a meeting, with the numbers by which it is ranked. `bend` is the cost of the parts of the
 * person's request that the time misses, 0 if it meets all. `cost` adds the hours to the time asked for and the
 * drawbacks of the new time.
 */
export interface Choice {
  start: number;
  bend: number;
  /**
   * Hours from the time that the person asked for to the new time. Each day of difference counts as 24 hours, even if
   * the clocks change. If the person asks for the soonest time, it is the hours from now.
   */
  away: number;
  cost: number;
  /** A rating of how comfortable the time is for both people, 0 to 1. It ignores how far ahead the time is. */
  comfort: number;
  /**
   * Rating of the time by the rules that the two people wrote in their own words, such as "rather not on Fridays".
   * Higher is better.
   */
  taste: number;
  isBefore: boolean;
  /**
   * True if the new time overlaps the meeting's current time. Such a start is chosen only if every other start misses
   * more of the request. It is never true if the caller gave no range, if the person asks for the soonest time, or if
   * the time asked for overlaps the current one.
   */
  isOnItself: boolean;
}

/**
 * Number of hours of distance that weigh as much as a product of ranking multipliers half as large. A time with half
 * the product ranks like a time that is four hours farther from the one asked for.
 */
const HOURS_PER_HALF = 4;
/** Hours of distance that a day counts if the person asked for no time, so that a better time on a later day can win. */
const UNASKED_DAY = 4;
/**
 * Largest difference at which two numbers that rank new times, such as costs in hours, count as equal. It absorbs
 * rounding errors.
 */
export const SAME = 1e-9;

/**
 * Returns the meeting's time moved by exactly as many minutes as the person asked, as [start, end] in epoch
 * milliseconds. Returns undefined if the person named no number of minutes.
 */
export function shiftedTime({ old, wish: { shiftMinutes, closeness } }: RescheduleSearch): number[] | undefined {
  if (shiftMinutes === undefined || typeof closeness !== 'object') return undefined;
  return [closeness.near, closeness.near + (old.end - old.start)];
}

/**
 * One of the alternatives in a person's request for a new time, such as "Friday after 2" in "Tuesday before noon or
 * Friday after 2". `wish` also contains what the request asks of all alternatives. `parts` checks a time against each
 * single demand.
 */
export interface Alternative {
  wish: Wish;
  parts: readonly AskedPart[];
}

/**
 * Splits a person's request for a new time into its alternatives, and each alternative into single demands, such as
 * "Friday" and "after 2". A demand tells by how much a time misses it. Clock times are in the time zone of the person
 * who asked.
 */
export function alternativesFor({ old, wish, askerTimeZone, window }: RescheduleSearch): Alternative[] {
  const days = daysElsewhere(windowDays(window));
  const was = askedTime(askerTimeZone, old);
  return alternativesOf(wish).map((one) => ({ wish: one, parts: partsOf(one, was, askerTimeZone, days) }));
}

/**
 * Returns the alternative in a person's request for a new time that a given time comes closest to. Of equal ones,
 * returns the first.
 */
export function bestFor(alternatives: readonly Alternative[], time: AskedTime): Alternative {
  return alternatives.reduce((best, one) => (bendOf(one.parts, time) < bendOf(best.parts, time) - SAME ? one : best));
}

/**
 * Returns a time together with the date and clock time that a zone's clocks show then, against which a person's request
 * can be checked.
 */
export function askedTime(timeZone: string, { start, end }: Interval): AskedTime {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  return { start, end, wall };
}

/**
 * Returns the search with both calendars free at the meeting's current time. The meeting leaves that time, so a new
 * time right beside it is not back to back with it.
 */
export function withoutOld<S extends Pick<RescheduleSearch, 'requester' | 'other' | 'old'>>(search: S): S {
  const { requester, other, old } = search;
  const vacated = (person: SearchedPerson): SearchedPerson => ({
    ...person,
    busy: busyWithout(person.busy, old, person.meetings),
  });
  return { ...search, requester: vacated(requester), other: vacated(other) };
}

/**
 * Computes for each possible new start the numbers that rank it: how far it misses the person's request, its distance
 * from the time asked for, and its cost.
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
    const hoursPerDay = wish.unasked ? UNASKED_DAY : 24;
    const away = Math.abs(day - wanted.day) * hoursPerDay + Math.abs(startMinute - wanted.startMinute) / 60;
    const product = Math.min(1, productAt(factors, moment)) * (wish.pause || wish.unasked ? comfortable : 1);
    const cost = start === exact ? 0 : away - HOURS_PER_HALF * Math.log2(product);
    return { start, bend, away, cost, comfort: comfortable, taste, isBefore: start < near, isOnItself };
  });
}

/**
 * Compares two new times for a meeting. The first of these differences decides:
 * - The time that misses less of what the person asked for comes first.
 * - A time that overlaps the meeting's current time comes last.
 * - The time with the lower cost (distance from the time asked for, plus drawbacks) comes first.
 * - The time that suits the two people's own rules better comes first, then the fairer one, then the more comfortable
 *   one.
 * - A time after the one asked for comes before a time before it, because an earlier time leaves less time to prepare.
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
