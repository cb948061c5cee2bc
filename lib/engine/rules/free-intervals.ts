import { MINUTE } from '../time/dates.ts';
import { intersect, toIntervals } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import type { DateWindow, Interval, SearchedPerson } from '../types.ts';
import { freeInstants } from './free-time.ts';

/** The window is a span of instants, or dates of the person's own zone. */
export function freeIntervals(
  person: SearchedPerson,
  window: Interval | DateWindow,
  durationMinutes: number,
): Interval[] {
  const free =
    'days' in window
      ? freeInstants(person, windowDays(window))
      : intersect(freeInstants(person, daysAround(window)), [window.start, window.end]);
  return toIntervals(free).filter(({ start, end }) => end - start >= durationMinutes * MINUTE);
}
