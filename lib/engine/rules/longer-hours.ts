import { DAY_MINUTES, MINUTE, parseMinute, twoDigits, WEEKDAYS } from '../time/dates.ts';
import { emptyWallTime, readWallTime, weekdayOf } from '../time/moment.ts';
import { offsetSpans } from '../time/zone.ts';
import type { Search, SearchedPerson, WorkHours } from '../types.ts';
import { candidateStarts } from './candidates.ts';
import { causesOf } from './why-empty.ts';

/** Longer work hours of one person that would open common times: an earlier start, or a later end, as HH:MM. */
export interface LongerHours {
  change: 'longer_hours';
  email: string;
  start?: string;
  end?: string;
}

/**
 * Longer work hours of one person, with the first start that they would open (`at`), the number of starts (`opens`),
 * and the minutes by which that first meeting lies outside the person's present hours (`missedBy`).
 */
export interface Miss extends LongerHours {
  opens: number;
  at: number;
  missedBy: number;
}

const QUARTER = 15;

/**
 * Returns the smallest changes of work hours that would open common times for two people whose work hours never meet.
 * Each change is an earlier start or a later end for one of them, and the smallest comes first. Returns nothing if work
 * hours are not the only reason. `causes` are the rules that leave no time, as `causesOf` returns them.
 */
export function missesOf(search: Search, causes = causesOf(search)): Miss[] {
  if (causes.length !== 2 || causes.some(({ rule }) => rule !== 'work_hours')) return [];
  const misses = (['requester', 'other'] as const).flatMap((role) =>
    (['start', 'end'] as const).flatMap((end) => leastAt(search, role, end) ?? []),
  );
  return misses.sort((a, b) => a.missedBy - b.missedBy);
}

function leastAt(search: Search, role: 'requester' | 'other', end: 'start' | 'end'): Miss | undefined {
  const person = search[role];
  const startsAt = (minutes: number) =>
    candidateStarts({ ...search, [role]: { ...person, workHours: longer(person.workHours, end, minutes) } });
  // Tries longer hours in steps of a quarter hour towards midnight. Longer hours never open fewer times, so a binary
  // search finds the smallest change that opens any.
  const minutesAt = (step: number) => (end === 'start' ? DAY_MINUTES - step * QUARTER : step * QUARTER);
  let [none, some] = [0, DAY_MINUTES / QUARTER];
  if (startsAt(minutesAt(some)).length === 0) return undefined;
  while (some - none > 1) {
    const middle = (none + some) >> 1;
    if (startsAt(minutesAt(middle)).length > 0) some = middle;
    else none = middle;
  }
  const minutes = minutesAt(some);
  const starts = startsAt(minutes);
  const [at] = starts;
  if (at === undefined) return undefined;
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  const missedBy = outside(person, end, at, at + search.durationMinutes * MINUTE);
  return { change: 'longer_hours', email: person.email, [end]: clock, opens: starts.length, at, missedBy };
}

/**
 * Returns the work hours, lengthened so that every working day starts at the given minute of the day or earlier, or
 * ends at it or later. Days that already do stay the same.
 */
function longer(workHours: WorkHours, end: 'start' | 'end', minutes: number): WorkHours {
  const hours = { ...workHours };
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  for (const day of WEEKDAYS) {
    const own = parseMinute(hours[day][end]);
    if (end === 'start' ? own > minutes : own < minutes) hours[day] = { ...hours[day], [end]: clock };
  }
  return hours;
}

/**
 * Returns the minutes on the clock by which a meeting reaches beyond the start or the end of the person's work hours
 * that day.
 */
function outside({ timeZone, workHours }: SearchedPerson, end: 'start' | 'end', from: number, to: number): number {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, from, to), from, to);
  const usual = parseMinute(workHours[weekdayOf(wall)][end]);
  return end === 'start' ? usual - wall.startMinute : (wall.endMinute || DAY_MINUTES) - usual;
}
