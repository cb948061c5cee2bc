import { DAY_MINUTES, formatMinute, MINUTE, parseMinute, WEEKDAYS } from '../time/dates.ts';
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

/** The longer hours first open the start `at`, which lies `missedBy` minutes outside the present hours. */
export interface Miss extends LongerHours {
  opens: number;
  at: number;
  missedBy: number;
}

const QUARTER = 15;

/**
 * Serves only people whose hours never meet, and for no other reason. The smallest change of one person's start or end
 * comes first. `causes` are those of `causesOf`.
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
  // Steps are quarter hours towards midnight. Longer hours never open fewer times, so a binary search finds the least.
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
  const clock = formatMinute(minutes);
  const missedBy = outside(person, end, at, at + search.durationMinutes * MINUTE);
  return { change: 'longer_hours', email: person.email, [end]: clock, opens: starts.length, at, missedBy };
}

/** Days that already start as early or end as late stay the same. */
function longer(workHours: WorkHours, end: 'start' | 'end', minutes: number): WorkHours {
  const hours = { ...workHours };
  const clock = formatMinute(minutes);
  for (const day of WEEKDAYS) {
    const own = parseMinute(hours[day][end]);
    if (end === 'start' ? own > minutes : own < minutes) hours[day] = { ...hours[day], [end]: clock };
  }
  return hours;
}

/** Returns minutes on the clock of that day. */
function outside({ timeZone, workHours }: SearchedPerson, end: 'start' | 'end', from: number, to: number): number {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, from, to), from, to);
  const usual = parseMinute(workHours[weekdayOf(wall)][end]);
  return end === 'start' ? usual - wall.startMinute : (wall.endMinute || DAY_MINUTES) - usual;
}
