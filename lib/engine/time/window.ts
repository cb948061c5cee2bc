import type { DateWindow, Interval } from '../types.ts';
import { DAY, formatDate, parseDate } from './dates.ts';
import type { Days } from './wall-instants.ts';
import { localDay, startOfDay } from './zone.ts';

export const LONGEST_DAYS = 90;
/** The number of days ahead of now up to which meetings can be searched and booked. */
export const HORIZON_DAYS = 400;
export const horizonOf = (now: number): number => now + HORIZON_DAYS * DAY;

/** A reason why a search cannot use the given dates, and which of the two dates is wrong. */
export type WindowProblem =
  | { problem: 'not_a_date'; bound: 'start' | 'end' }
  | { problem: 'reversed'; bound: 'end' }
  | { problem: 'past'; bound: 'end'; today: string }
  | { problem: 'too_far'; bound: 'start' | 'end'; latest: string }
  | { problem: 'too_long'; bound: 'end'; days: number };

export type WindowResult = { ok: true; window: DateWindow } | ({ ok: false } & WindowProblem);

export interface DateRange {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/**
 * Without a range they are today and the days after it, `windowDays` in all. Past days are left out. A range with only
 * a start gets `windowDays`, and one with only an end begins today (schema/DECISIONS.md, "Search window").
 */
export function searchWindow(input: {
  now: number;
  timeZone: string;
  windowDays: number;
  dateRange?: DateRange | undefined;
}): WindowResult {
  const today = localDay(input.timeZone, input.now);
  const { startDate, endDate } = input.dateRange ?? {};
  const first = startDate === undefined ? today : parseDate(startDate);
  if (first === undefined) return { ok: false, problem: 'not_a_date', bound: 'start' };
  const start = Math.max(first, today);
  const latest = today + HORIZON_DAYS;
  const last = endDate === undefined ? start + input.windowDays - 1 : parseDate(endDate);
  if (last === undefined) return { ok: false, problem: 'not_a_date', bound: 'end' };
  if (startDate !== undefined && last < first) return { ok: false, problem: 'reversed', bound: 'end' };
  if (last < today) return { ok: false, problem: 'past', bound: 'end', today: formatDate(today) };
  if (start > latest) return { ok: false, problem: 'too_far', bound: 'start', latest: formatDate(latest) };
  if (endDate !== undefined && last > latest)
    return { ok: false, problem: 'too_far', bound: 'end', latest: formatDate(latest) };
  const end = Math.min(last, latest);
  const days = end - start + 1;
  if (days > LONGEST_DAYS) return { ok: false, problem: 'too_long', bound: 'end', days };
  return { ok: true, window: { start: formatDate(start), end: formatDate(end), days } };
}

export function windowInterval(window: DateWindow, timeZone: string): Interval {
  const { first, last } = windowDays(window);
  return { start: startOfDay(timeZone, first), end: startOfDay(timeZone, last + 1) };
}

export function windowDays(window: DateWindow): Days {
  const first = parseDate(window.start);
  const last = parseDate(window.end);
  if (first === undefined || last === undefined) throw new RangeError('A window is made of dates.');
  return { first, last };
}
