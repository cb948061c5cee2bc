import { MINUTE } from '../time/dates.ts';
import { type Edges, inOrder, subtract, toIntervals, union } from '../time/intervals.ts';
import { type Days, NO_DAYS, type SomeDays, wallInstants } from '../time/wall-instants.ts';
import { openWeek, WHOLE_WEEK, workWeek } from '../time/week.ts';
import { localDay, startOfDay } from '../time/zone.ts';
import type { FocusBlock, Interval, SearchedPerson, StandingRule, TakenTime } from '../types.ts';

/**
 * Flags for which of a person's rules apply when free times are computed. A search applies all rules. To explain an
 * empty search, the engine leaves out one rule at a time.
 */
export interface Applied {
  focusBlocks: boolean;
  /**
   * True to leave out the times that the person ruled out in their `scheduling_context`, such as "never on Fridays".
   */
  standingRules: boolean;
  dayLimit: boolean;
  holidays: boolean;
  busy: boolean;
  buffer: boolean;
}

export const ALL_RULES: Applied = {
  focusBlocks: true,
  standingRules: true,
  dayLimit: true,
  holidays: true,
  busy: true,
  buffer: true,
};
export const WORK_HOURS_ONLY: Applied = {
  focusBlocks: false,
  standingRules: false,
  dayLimit: false,
  holidays: false,
  busy: false,
  buffer: false,
};

/**
 * Returns the instants on the given days at which one person is free, if the rules in `applied`, such as focus blocks
 * or holidays, count.
 */
export function freeInstants(person: SearchedPerson, days: Days, applied: Applied = ALL_RULES): number[] {
  return withoutBusy(openInstants(person, days, applied), person, applied);
}

/** Returns the weekly times that a person keeps free: focus blocks, and the times that their own words rule out. */
export const keptFree = (person: SearchedPerson, applied: Applied = ALL_RULES): FocusBlock[] => [
  ...(applied.focusBlocks ? person.focusBlocks : []),
  ...(applied.standingRules ? neverRules(person).flatMap(({ blocks }) => blocks) : []),
];

/** Returns the rules of a person's `scheduling_context` that rule times out, such as "never on Fridays". */
export const neverRules = ({ standing = [] }: Pick<SearchedPerson, 'standing'>): StandingRule[] =>
  standing.filter(({ verdict }) => verdict === 'never');

/**
 * Returns the instants on the given days within a person's work hours. If the rules in `applied` say so, leaves out the
 * times that the person keeps free, full days and public holidays.
 */
export function openInstants(person: SearchedPerson, days: Days, applied: Applied): number[] {
  const week = openWeek(workWeek(person.workHours), keptFree(person, applied));
  return wallInstants(person.timeZone, days, week, closedDays(person, applied));
}

/**
 * Returns the person's local days on which they take no meeting, counted from 1970-01-01: full days and public
 * holidays, if the rules in `applied` say that these count.
 */
export function closedDays(person: SearchedPerson, applied: Applied): SomeDays {
  const full = applied.dayLimit ? fullDays(person) : NO_DAYS;
  const holidays = applied.holidays ? person.holidays : undefined;
  if (holidays === undefined) return full;
  return full.size === 0 ? holidays : { has: (day) => holidays.has(day) || full.has(day) };
}

/** Returns the given instants that lie outside the person's busy times and outside the buffer around each. */
export function withoutBusy(set: number[], person: SearchedPerson, { busy, buffer }: Applied): number[] {
  if (!busy) return set;
  const widenBy = buffer ? person.bufferMinutes * MINUTE : 0;
  const free = subtract(set, inOrder(person.busy), widenBy);
  return person.meetings.length === 0 ? free : subtract(free, inOrder(person.meetings), widenBy);
}

/**
 * Returns the person's busy times from the calendar provider and Tandem's own meetings. Each is widened on both sides
 * by the person's buffer.
 */
export function busyInstants(
  { busy, meetings }: Pick<SearchedPerson, 'busy' | 'meetings'>,
  bufferMinutes: number,
): Edges {
  const times = inOrder(busy);
  const all = meetings.length === 0 ? times : inOrder([...toIntervals(times), ...meetings]);
  return union(all, bufferMinutes * MINUTE);
}

type Counting = Pick<SearchedPerson, 'timeZone' | 'maxMeetingsPerDay' | 'meetings'>;

/**
 * Returns the person's local days that already have as many meetings and open proposals of the requesting platform as
 * the person allows meetings. A meeting counts on the day it starts. A proposal counts once on each day on which it
 * holds a time.
 */
export const fullDays = (person: Counting): ReadonlySet<number> => daysFullWith(person, ({ isOwn = true }) => isOwn);

/**
 * Returns the person's local days that the meetings of all platforms fill and the requesting platform's alone do not, as
 * busy times. To the requesting platform such a day must look like an all-day event of the calendar, with a buffer
 * around it, because a platform may not learn that a person uses others.
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
  { timeZone, maxMeetingsPerDay, meetings }: Counting,
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
  return full;
}

/**
 * Returns the instants of the given days that fall on a day when the person already has as many Tandem meetings as they
 * allow.
 */
export function fullInstants(person: SearchedPerson, days: Days): number[] {
  const full = fullDays(person);
  const others = new Set<number>();
  for (let day = days.first; day <= days.last; day++) if (!full.has(day)) others.add(day);
  return wallInstants(person.timeZone, days, WHOLE_WEEK, others);
}
