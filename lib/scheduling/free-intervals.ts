import { MINUTE } from './dates.ts';
import { intersect, toIntervals } from './intervals.ts';
import { freeInstants } from './person-rules.ts';
import type { DateWindow, Interval, Person } from './types.ts';
import { daysAround } from './wall-instants.ts';
import { windowDays } from './window.ts';

/** One person's free intervals of at least the duration, within instants or within dates of the person's own zone. */
export function freeIntervals(person: Person, window: Interval | DateWindow, durationMinutes: number): Interval[] {
  const free =
    'days' in window
      ? freeInstants(person, windowDays(window))
      : intersect(freeInstants(person, daysAround(window)), [window.start, window.end]);
  return toIntervals(free).filter(({ start, end }) => end - start >= durationMinutes * MINUTE);
}
