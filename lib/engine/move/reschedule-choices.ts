import { type AutoFactor, type AutoSearch, productAt } from '../rank/auto-factors.ts';
import { chosenParts } from '../rank/fairness.ts';
import { type Weighed, weigh } from '../rank/merit.ts';
import { nearnessAt, type PartName } from '../rank/parts.ts';
import { IN_FACTORS } from '../rank/rank-auto.ts';
import { busyWithout } from '../rules/free-time.ts';
import { DAY_MINUTES, MINUTE, parseDate } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { wallTimeAt } from '../time/moment.ts';
import { daysElsewhere } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import type { Interval, SearchedPerson } from '../types.ts';
import { type AskedPart, type AskedTime, alternativesOf, bendOf, partsOf, type Wish } from '../wish/wish-parts.ts';

export interface RescheduleSearch extends AutoSearch {
  old: Interval;
  wish: Wish;
  askerTimeZone: string;
  /** This person's own settings give way to their words. Undefined for a guest. */
  askedBy?: string | undefined;
}

/** Numbers that rank new times, such as costs in hours, count as equal up to it, which absorbs rounding errors. */
export const SAME = 1e-9;

/** Returns [start, end], moved by exactly the minutes asked for. Undefined if the person named no number. */
export function shiftedTime({ old, wish: { shiftMinutes, closeness } }: RescheduleSearch): number[] | undefined {
  if (shiftMinutes === undefined || typeof closeness !== 'object') return undefined;
  return [closeness.near, closeness.near + (old.end - old.start)];
}

/** "Tuesday before noon or Friday after 2" has two. Each has what the request asks of all alternatives too. */
export interface Alternative {
  wish: Wish;
  parts: readonly AskedPart[];
}

/** Single demands, such as "Friday" and "after 2", tell by how much a time misses them, on the asker's clock. */
export function alternativesFor({ old, wish, askerTimeZone, window }: RescheduleSearch): Alternative[] {
  const days = daysElsewhere(windowDays(window));
  const was = askedTime(askerTimeZone, old);
  return alternativesOf(wish).map((one) => ({ wish: one, parts: partsOf(one, was, askerTimeZone, days) }));
}

/** Returns the alternative that the time comes closest to, and of equal ones the first. */
export function bestFor(alternatives: readonly Alternative[], time: AskedTime): Alternative {
  return alternatives.reduce((best, one) => (bendOf(one.parts, time) < bendOf(best.parts, time) - SAME ? one : best));
}

export function askedTime(timeZone: string, { start, end }: Interval): AskedTime {
  return { start, end, wall: wallTimeAt(timeZone, start, end) };
}

export const timeAt = ({ askerTimeZone, durationMinutes }: RescheduleSearch, start: number): AskedTime =>
  askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });

export const nearTo = ({ wish: { closeness }, old }: RescheduleSearch): number =>
  typeof closeness === 'object' ? closeness.near : old.start;

/** The meeting leaves its current time, so a new time right beside that is not back to back with it. */
export function withoutOld<S extends Pick<RescheduleSearch, 'requester' | 'other' | 'old'>>(search: S): S {
  const { requester, other, old } = search;
  const vacated = (person: SearchedPerson): SearchedPerson => ({
    ...person,
    busy: busyWithout(person.busy, old, person.meetings),
  });
  return { ...search, requester: vacated(requester), other: vacated(other) };
}

/** The possible new starts of a meeting, weighed. All lists share one index. */
export interface Choices extends Weighed {
  /** The cost of the parts of the person's request that each start misses, 0 if it meets all. */
  bends: Float64Array;
  /** Returns the days and the hours of the clock from a start to the time that the person asked for. */
  away: (i: number) => { days: number; hours: number };
}

/**
 * Weighs possible new starts by the search's merit, with nearness to the time that the person asked for, or else to the
 * old one, in place of `lead_time` and of the bonus for times that come soon. The first of these differences decides
 * before merit:
 * - The start misses less of what the person asked for.
 * - It meets what they asked for first, where they named something else only in case that is not free.
 * - It does not overlap the meeting's current time. That matters only in a range that the caller gave, if the person
 *   asks neither for the soonest time nor for one that overlaps the current one.
 * - It is the soonest, if the person asks for that, or else moves the meeting by exactly the minutes asked for.
 *
 * Without a request, lead time counts and nearness is that of the hour alone.
 */
export function weighChoices(
  search: RescheduleSearch,
  alternatives: readonly Alternative[],
  factors: readonly AutoFactor[],
  starts: readonly number[],
): Choices {
  const { old, wish, within, askerTimeZone, durationMinutes } = search;
  const isNear = (start: number) => start < old.end && old.start < start + durationMinutes * MINUTE;
  const isSoonest = wish.closeness === 'soonest';
  const hasTurns = alternatives.some((one) => one.wish.isOtherwise);
  const near = nearTo(search);
  const staysOff = within !== undefined && !(wish.closeness !== undefined && isNear(near));
  const [exact] = shiftedTime(search) ?? [];
  const wanted = askedTime(askerTimeZone, { start: near, end: near }).wall;
  const bends = Float64Array.from(starts, (start) => {
    const time = timeAt(search, start);
    return Math.min(...alternatives.map(({ parts }) => bendOf(parts, time)));
  });
  const awayFrom = (start: number) => {
    const { day, startMinute } = timeAt(search, start).wall;
    return { days: Math.abs(day - wanted.day), hours: Math.abs(startMinute - wanted.startMinute) / 60 };
  };
  const isOpen = wish.isAnyHour === true || alternatives.every((one) => asksForSpan(one.wish));
  const isHourAsked = !isOpen && alternatives.some((one) => asksForHour(one.wish));
  const isUnasked = asksNothing(search);
  const hoursCount = (hours: number) => {
    if (isHourAsked) return hours;
    if (hours === 0) return 0;
    return isOpen ? 0.5 : (isUnasked ? 0.5 : 1.8) + hours / 4;
  };
  const wantedDays = new Set(alternatives.flatMap((one) => one.wish.dates ?? []).map(parseDate));
  const nearness = (start: number) => {
    const { days, hours } = awayFrom(start);
    const daysCount = wantedDays.has(timeAt(search, start).wall.day) ? days / 12 : days;
    return nearnessAt(isUnasked ? 0 : daysCount, hoursCount(hours), start < near);
  };
  const turnOf = (start: number) => {
    const best = bestFor(alternatives, timeAt(search, start));
    return alternatives.slice(0, alternatives.indexOf(best) + 1).filter((one) => one.wish.isOtherwise).length;
  };
  const before = (i: number) => {
    const start = edgeAt(starts, i);
    return [
      Math.round(edgeAt(bends, i) / SAME),
      hasTurns ? turnOf(start) : 0,
      Number(staysOff && isNear(start)),
      isSoonest ? start : Number(start !== exact),
    ];
  };
  const tiers = tiersBy(starts, before);
  const chosen = chosenParts(search);
  const weighed = weigh(search, starts, {
    productAt: (moment) => Math.min(1, productAt(factors, moment)),
    tierAt: ({ start }) => tiers.get(start) ?? 0,
    without: isUnasked ? IN_FACTORS : NOT_WHEN_MOVED,
    more: (moment, around) => {
      const value = isSoonest ? 1 : nearness(moment.start);
      return [...chosen(moment, around), { name: 'nearness', email: null, value }];
    },
  });
  return { ...weighed, bends, away: (i) => awayFrom(edgeAt(starts, i)) };
}

/** Returns true if nobody asked for anything but another time: the person cannot make the old one. */
export const asksNothing = ({ wish, within }: RescheduleSearch): boolean =>
  within === undefined && (wish.unasked === true || Object.keys(wish).length === 0);

/**
 * Returns true if a person asked for an hour. If not, leaving the old one counts as 1.8 hours and a quarter of the distance,
 * so it is kept among times that are about as good: as half an hour with it if they asked for nothing, and without for any
 * hour of a span. The same holds for the weekday between days that they named.
 */
const asksForHour = ({ relative, shiftMinutes, clockFrom, clockTo, isClockGuessed }: Wish): boolean =>
  (relative ?? shiftMinutes ?? (isClockGuessed ? undefined : (clockFrom ?? clockTo))) !== undefined;

/** The greatest length in minutes at which hours that were asked for are one clock time, and not a span as an afternoon is. */
const POINT = 90;

/** Returns true if a person asked for any hour of a span, such as the afternoon, so that its other hours are all as near. */
const asksForSpan = ({ relative, shiftMinutes, clockFrom, clockTo, isClockGuessed }: Wish): boolean =>
  (relative ?? shiftMinutes) === undefined &&
  isClockGuessed !== true &&
  (clockFrom ?? clockTo) !== undefined &&
  (clockTo ?? DAY_MINUTES) - (clockFrom ?? 0) > POINT;

/** Returns a number for each start, higher for those of which a list of numbers is lower, and equal for equal lists. */
function tiersBy(starts: readonly number[], numbersOf: (i: number) => number[]): Map<number, number> {
  const all = starts.map((start, i) => ({ start, numbers: numbersOf(i) }));
  const gapOf = (a: number[], b: number[] = []) => a.map((one, k) => one - (b[k] ?? 0)).find((gap) => gap !== 0) ?? 0;
  all.sort((a, b) => gapOf(a.numbers, b.numbers));
  const tiers = new Map<number, number>();
  let tier = 0;
  for (const [i, { start, numbers }] of all.entries()) {
    if (i > 0 && gapOf(numbers, all[i - 1]?.numbers) !== 0) tier--;
    tiers.set(start, tier);
  }
  return tiers;
}

const NOT_WHEN_MOVED: ReadonlySet<PartName> = new Set<PartName>([...IN_FACTORS, 'lead_time']);
