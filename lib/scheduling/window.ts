import { formatDate, parseDate } from './dates.ts';
import type { DateWindow, Interval } from './types.ts';
import type { Days } from './wall-instants.ts';
import { localDay, startOfDay } from './zone.ts';

/** The most days a search covers. */
export const LONGEST_DAYS = 90;

export type WindowResult =
  | { ok: true; window: DateWindow }
  | { ok: false; problem: 'not_a_date' | 'reversed' | 'past' | 'too_long'; field: string; message: string };

/** The dates to search: today and the days after it, or the given range without its past days (decisions, Availability). */
export function searchWindow(input: {
  now: number;
  timeZone: string;
  windowDays: number;
  dateRange?: { startDate: string; endDate: string } | undefined;
}): WindowResult {
  const today = localDay(input.timeZone, input.now);
  if (!input.dateRange) return { ok: true, window: toWindow(today, today + input.windowDays - 1) };
  const first = parseDate(input.dateRange.startDate);
  const last = parseDate(input.dateRange.endDate);
  if (first === undefined) return refuse('not_a_date', 'start_date', 'start_date must be a date, YYYY-MM-DD.');
  if (last === undefined) return refuse('not_a_date', 'end_date', 'end_date must be a date, YYYY-MM-DD.');
  if (last < first) return refuse('reversed', 'end_date', 'end_date must not be before start_date.');
  if (last < today) return refuse('past', 'end_date', 'The date range lies in the past.');
  const start = Math.max(first, today);
  if (last - start + 1 > LONGEST_DAYS) return refuse('too_long', 'end_date', 'A search covers at most 90 days.');
  return { ok: true, window: toWindow(start, last) };
}

/** The instants of the window, from the start of its first date to the start of the date after its last. */
export function windowInterval(window: DateWindow, timeZone: string): Interval {
  const { first, last } = windowDays(window);
  return { start: startOfDay(timeZone, first), end: startOfDay(timeZone, last + 1) };
}

/** The window's dates as day numbers. */
export function windowDays(window: DateWindow): Days {
  const first = parseDate(window.start);
  const last = parseDate(window.end);
  if (first === undefined || last === undefined) throw new RangeError('A window is made of dates.');
  return { first, last };
}

function toWindow(first: number, last: number): DateWindow {
  return { start: formatDate(first), end: formatDate(last), days: last - first + 1 };
}

function refuse(problem: 'not_a_date' | 'reversed' | 'past' | 'too_long', edge: string, message: string): WindowResult {
  return { ok: false, problem, field: `date_range.${edge}`, message };
}
