import { daysFromCivil, formatDate, weekdayIndex } from '../../scheduling/dates.ts';

/** What the asker's wall and calendar show: days since 1970-01-01, minutes since midnight. */
export interface Calendar {
  today: number;
  oldDay: number;
  oldMinute: number;
  durationMinutes: number;
}

/** The Monday on or before a day. */
export const mondayOf = (day: number) => day - weekdayIndex(day);

/** Year, month (1-12) and day of the month. */
export function civilOf(day: number): { year: number; month: number; date: number } {
  const [year, month, date] = formatDate(day).split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0, date: date ?? 0 };
}

/** The first day of the month so many months after the day's own. */
export function monthStart(day: number, monthsAfter: number): number {
  const { year, month } = civilOf(day);
  const months = year * 12 + month - 1 + monthsAfter;
  return daysFromCivil(Math.floor(months / 12), (months % 12) + 1, 1);
}

/** A date of that month as a day, undefined when the month has none. */
export function dayIn(year: number, month: number, date: number): number | undefined {
  const day = daysFromCivil(year, month, date);
  return civilOf(day).date === date && civilOf(day).month === month ? day : undefined;
}
