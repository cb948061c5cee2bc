import { formatDate, parseDate } from './dates.ts';
import type { DateWindow, Interval } from './types.ts';
import type { Days } from './wall-instants.ts';
import { localDay, startOfDay } from './zone.ts';

/** The days a search covers for someone who set none. */
export const DEFAULT_WINDOW_DAYS = 14;
/** The most days a search covers. */
export const LONGEST_DAYS = 90;

export type WindowResult =
  | { ok: true; window: DateWindow }
  | { ok: false; problem: 'not_a_date' | 'reversed' | 'past' | 'too_long'; field: string; message: string };

/** Dates as a caller gave them; either end alone is enough. */
export interface DateRange {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/**
 * The dates to search: today and the days after it, `windowDays` in all, or the given range without its past days. A start
 * alone has as many days as there would be without it, an end alone begins today (decisions, Availability).
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
  if (first === undefined) return refuse('not_a_date', 'start_date', 'start_date must be a date, YYYY-MM-DD.');
  const start = Math.max(first, today);
  const last = endDate === undefined ? start + input.windowDays - 1 : parseDate(endDate);
  if (last === undefined) return refuse('not_a_date', 'end_date', 'end_date must be a date, YYYY-MM-DD.');
  if (startDate !== undefined && last < first)
    return refuse('reversed', 'end_date', 'end_date must not be before start_date.');
  if (last < today) return refuse('past', 'end_date', `These dates are over: today is ${formatDate(today)}.`);
  const days = last - start + 1;
  if (days > LONGEST_DAYS)
    return refuse('too_long', 'end_date', `A search covers at most ${LONGEST_DAYS} days, and these are ${days}.`);
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
