import { MINUTE } from '../time/dates.ts';
import { type Edges, edgeAt, inOrder, intersect, lasting, subtract, toIntervals, union } from '../time/intervals.ts';
import {
  blockInstants,
  type Days,
  daysAround,
  daysElsewhere,
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
import type {
  BusyTimes,
  DateWindow,
  Interval,
  RuleBlock,
  Search,
  SearchedPerson,
  StandingRule,
  TakenTime,
} from '../types.ts';

/** `standingRules` are the times that the person ruled out in their `scheduling_context`. */
const RULES = ['focusBlocks', 'standingRules', 'dayLimit', 'holidays', 'busy', 'buffer'] as const;

/** A search applies all rules. To explain an empty one, the engine leaves out one at a time. */
export type Applied = Record<(typeof RULES)[number], boolean>;

const each = (isApplied: boolean) => Object.fromEntries(RULES.map((rule) => [rule, isApplied])) as Applied;

export const ALL_RULES = each(true);
export const WORK_HOURS_ONLY = each(false);

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

/** A meeting of this platform counts on the day it starts, a proposal once on each day on which it holds a time. */
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

export const QUARTER_HOUR = 15 * MINUTE;
export const NOTICE = 15 * MINUTE;

/**
 * A common free stretch that holds the meeting at no quarter hour has one start: the first multiple of five minutes, or
 * else the first full minute (schema/DECISIONS.md, "Slot candidates"). Quarter hours of UTC are those of every zone,
 * because each offset is a whole number of them.
 */
export const candidateStarts = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): number[] =>
  startsWithin(freeForMeeting(search, applied, otherApplied), search);

export const hasCandidate = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): boolean =>
  startsWithin(freeForMeeting(search, applied, otherApplied), search, 1).length > 0;

/** Gives each quarter hour that fits, or one other start in a stretch without such, in order of time. */
export function startsWithin(
  free: Edges,
  { durationMinutes, notAt }: Pick<Search, 'durationMinutes' | 'notAt'>,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const starts: number[] = [];
  const duration = durationMinutes * MINUTE;
  for (let i = 0; i < free.length; i += 2) {
    const from = edgeAt(free, i);
    const lastStart = edgeAt(free, i + 1) - duration;
    if (lastStart < from) continue;
    let start = firstOf(QUARTER_HOUR, from);
    if (start > lastStart) start = firstOf(5 * MINUTE, from);
    if (start > lastStart) start = firstOf(MINUTE, from);
    for (; start <= lastStart; start += QUARTER_HOUR) {
      if (notAt?.includes(start)) continue;
      starts.push(start);
      if (starts.length >= most) return starts;
    }
  }
  return starts;
}

/** They begin at the first allowed start. Every possible meeting lies within them. */
export const freeForBoth = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): number[] =>
  commonFree(search, applied, otherApplied, 0);

/** Drops stretches that are too short at each step, which is faster than filtering the result. */
export const freeForMeeting = (search: Search, applied: Applied, otherApplied: Applied): number[] =>
  commonFree(search, applied, otherApplied, search.durationMinutes * MINUTE);

function commonFree(search: Search, applied: Applied, otherApplied: Applied, least: number): number[] {
  const { requester, other, window, within, only, narrowedTo = [], now, notBefore = 0 } = search;
  const dates = windowDays(window);
  const days = daysElsewhere(dates);
  const both = intersect(openOnce(requester, days, applied, least), openOnce(other, days, otherApplied, least));
  const open = intersect(both, wallInstants(requester.timeZone, dates, WHOLE_WEEK));
  const { start, end } = within ?? { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  const ranged = intersect(open, [Math.max(start, now + NOTICE, notBefore), Math.min(end, search.notAfter ?? end)]);
  const chosen = only === undefined ? ranged : intersect(ranged, only);
  const wanted = narrowedTo.reduce((both, { instants }) => intersect(both, instants), chosen);
  const freeOfOne = withoutBusy(lasting(wanted, least), requester, applied);
  return lasting(withoutBusy(lasting(freeOfOne, least), other, otherApplied), least);
}

function firstOf(grain: number, from: number): number {
  return Math.ceil(from / grain) * grain;
}

/** `rules` has a bit for each rule applied, and `long` keeps only stretches of at least `least` ms. */
interface Opened {
  first: number;
  last: number;
  rules: number;
  open: number[];
  long: { least: number; spans: number[] }[];
}

const opened = new WeakMap<SearchedPerson, Opened[]>();

/** Cached, because a search that finds nothing asks over twenty times why. Drops stretches shorter than `least` ms. */
export function openOnce(person: SearchedPerson, days: Days, applied: Applied, least = 0): number[] {
  const { focusBlocks, standingRules, dayLimit, holidays } = applied;
  const rules = Number(focusBlocks) + 2 * Number(standingRules) + 4 * Number(dayLimit) + 8 * Number(holidays);
  const known = opened.get(person) ?? [];
  if (known.length === 0) opened.set(person, known);
  let own = known.find((one) => one.rules === rules && one.first === days.first && one.last === days.last);
  if (own === undefined) {
    own = { ...days, rules, open: openInstants(person, days, applied), long: [] };
    known.push(own);
  }
  if (least === 0) return own.open;
  const before = own.long.find((one) => one.least === least);
  if (before !== undefined) return before.spans;
  const spans = lasting(own.open, least);
  own.long.push({ least, spans });
  return spans;
}

export const mergeStarts = (...lists: number[][]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
