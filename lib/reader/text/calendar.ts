import { daysFromCivil, formatDate } from '../../engine/time/dates.ts';

/**
 * The dates needed to read a text: today, and the meeting's old day and minute on the asker's clock. Days count from
 * 1970-01-01, and minutes from midnight.
 */
export interface Calendar {
  today: number;
  oldDay: number;
  oldMinute: number;
  durationMinutes: number;
  /** The asker's zone. It is missing if nobody knows it. */
  timeZone?: string | undefined;
  /** The instant at which the clocks of two zones are compared, in epoch ms. By default noon of the meeting's day. */
  zonesAt?: number | undefined;
  /** The zone of the place where the text says that the asker is, if it names one. */
  home?: string | undefined;
}

/** Splits a day, counted from 1970-01-01, into year, month (1-12) and day of the month. */
export function civilOf(day: number): { year: number; month: number; date: number } {
  const [year, month, date] = formatDate(day).split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0, date: date ?? 0 };
}

/** Returns the first day of the month that lies `monthsAfter` months after the month of `day`. */
export function monthStart(day: number, monthsAfter: number): number {
  const { year, month } = civilOf(day);
  const months = year * 12 + month - 1 + monthsAfter;
  return daysFromCivil(Math.floor(months / 12), (months % 12) + 1, 1);
}

/** Returns a calendar date as days since 1970-01-01, or undefined if the month has no such date. */
export function dayIn(year: number, month: number, date: number): number | undefined {
  const day = daysFromCivil(year, month, date);
  return civilOf(day).date === date && civilOf(day).month === month ? day : undefined;
}
