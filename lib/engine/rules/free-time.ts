import { MINUTE } from '../time/dates.ts';
import { type Edges, inOrder, intersect, subtract, toIntervals, union } from '../time/intervals.ts';
import {
  blockInstants,
  type Days,
  daysAround,
  isDated,
  NO_DAYS,
  openWeek,
  type SomeDays,
  WHOLE_WEEK,
  wallInstants,
  workWeek,
} from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import { localDay, startOfDay } from '../time/zone.ts';
import type { BusyTimes, DateWindow, Interval, RuleBlock, SearchedPerson, StandingRule, TakenTime } from '../types.ts';

/** `standingRules` are the times that the person ruled out in their `scheduling_context`. */
const RULES = ['focusBlocks', 'standingRules', 'dayLimit', 'holidays', 'busy', 'buffer'] as const;

/** A search applies all rules. To explain an empty one, the engine leaves out one at a time. */
export type Applied = Record<(typeof RULES)[number], boolean>;

const each = (isApplied: boolean) => Object.fromEntries(RULES.map((rule) => [rule, isApplied])) as Applied;

export const ALL_RULES = each(true);
export const WORK_HOURS_ONLY = each(false);

/** Returns the weekly times that a person keeps free: focus blocks, and the times that their own words rule out. */
export const keptFree = (person: SearchedPerson, applied: Applied = ALL_RULES): RuleBlock[] => [
  ...(applied.focusBlocks ? person.focusBlocks : []),
  ...(applied.standingRules ? neverRules(person).flatMap(({ blocks }) => blocks) : []),
];

export const neverRules = ({ standing = [] }: Pick<SearchedPerson, 'standing'>): StandingRule[] =>
  standing.filter(({ verdict }) => verdict === 'never');

/** Leaves out kept-free times, full days and public holidays if `applied` says so. */
export function openInstants(person: SearchedPerson, days: Days, applied: Applied): number[] {
  const kept = keptFree(person, applied);
  const week = openWeek(workWeek(person.workHours), kept);
  const open = wallInstants(person.timeZone, days, week, closedDays(person, applied));
  const dated = kept.filter(isDated);
  return dated.length === 0 ? open : subtract(open, blockInstants(person.timeZone, days, dated));
}

/** Full days and holidays count if `applied` says so. */
export function closedDays(person: SearchedPerson, applied: Applied): SomeDays {
  const full = applied.dayLimit ? fullDays(person) : NO_DAYS;
  const holidays = applied.holidays ? person.holidays : undefined;
  if (holidays === undefined) return full;
  return full.size === 0 ? holidays : { has: (day) => holidays.has(day) || full.has(day) };
}

export function withoutBusy(set: number[], person: SearchedPerson, { busy, buffer }: Applied): number[] {
  if (!busy) return set;
  const widenBy = buffer ? person.bufferMinutes * MINUTE : 0;
  const free = subtract(set, inOrder(person.busy), widenBy);
  return person.meetings.length === 0 ? free : subtract(free, inOrder(person.meetings), widenBy);
}

/** Each is widened on both sides by the person's buffer. */
export function busyInstants(
  { busy, meetings }: Pick<SearchedPerson, 'busy' | 'meetings'>,
  bufferMinutes: number,
): Edges {
  const times = inOrder(busy);
  const all = meetings.length === 0 ? times : inOrder([...toIntervals(times), ...meetings]);
  return union(all, bufferMinutes * MINUTE);
}

type Counting = Pick<SearchedPerson, 'timeZone' | 'maxMeetingsPerDay' | 'meetings' | 'movesFrom'>;

/**
 * Counts meetings and open proposals of the requesting platform. A meeting counts on the day it starts, and a proposal
 * once on each day on which it holds a time.
 */
export const fullDays = (person: Counting): ReadonlySet<number> => daysFullWith(person, ({ isOwn = true }) => isOwn);

/**
 * The meetings of all platforms fill these days and the requesting platform's alone do not. A platform may not learn
 * that a person uses others, so such a day must look like an all-day event with a buffer around it.
 */
export function daysFullElsewhere(person: Counting): Interval[] {
  const full = daysFullWith(person, ({ isMeeting = true }) => isMeeting);
  if (full.size === 0) return [];
  const own = fullDays(person);
  const { timeZone } = person;
  return [...full]
    .filter((day) => !own.has(day))
    .map((day) => ({ start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) }));
}

function daysFullWith(
  { timeZone, maxMeetingsPerDay, meetings, movesFrom }: Counting,
  doesCount: (time: TakenTime) => boolean,
): Set<number> {
  const counts = new Map<number, number>();
  const counted = new Set<string>();
  const full = new Set<number>();
  if (meetings.length < maxMeetingsPerDay) return full;
  for (const time of meetings) {
    const { start, takenBy } = time;
    const day = localDay(timeZone, start);
    const place = `${day} ${takenBy}`;
    if (!doesCount(time) || (takenBy !== undefined && counted.has(place))) continue;
    counted.add(place);
    const count = (counts.get(day) ?? 0) + 1;
    counts.set(day, count);
    if (count >= maxMeetingsPerDay) full.add(day);
  }
  if (movesFrom !== undefined) full.delete(localDay(timeZone, movesFrom));
  return full;
}

/** A day is full at as many Tandem meetings as the person allows. */
export function fullInstants(person: SearchedPerson, days: Days): number[] {
  const full = fullDays(person);
  return wallInstants(person.timeZone, days, WHOLE_WEEK, { has: (day) => !full.has(day) });
}

/** Removes one event's span from a person's busy times, but keeps the parts of it that other events cover too. */
export function busyWithout(busy: BusyTimes, own: Interval | undefined, others: readonly Interval[]): BusyTimes {
  if (own === undefined || own.start >= own.end) return busy;
  const alone = subtract([own.start, own.end], inOrder(others));
  return new Float64Array(subtract(union(inOrder(busy)), alone));
}

/** The window is a span of instants, or dates of the person's own zone. */
export function freeIntervals(
  person: SearchedPerson,
  window: Interval | DateWindow,
  durationMinutes: number,
): Interval[] {
  const days = 'days' in window ? windowDays(window) : daysAround(window);
  const free = withoutBusy(openInstants(person, days, ALL_RULES), person, ALL_RULES);
  const within = 'days' in window ? free : intersect(free, [window.start, window.end]);
  return toIntervals(within).filter(({ start, end }) => end - start >= durationMinutes * MINUTE);
}
