import { DAY, daysFromCivil, formatDate, MINUTE, weekdayIndex } from '../../scheduling/dates.ts';
import { localDay, offsetSpans, spanAt } from '../../scheduling/zone.ts';

/** Whose clock the words are read on, when they were written, and the time the meeting has; epoch ms. */
export interface Asker {
  timeZone: string;
  now: number;
  oldStart: number;
  oldEnd: number;
}

/** What the asker's wall and calendar show: days since 1970-01-01, minutes since midnight. */
export interface Calendar {
  today: number;
  oldDay: number;
  oldMinute: number;
  durationMinutes: number;
}

/** The asker's calendar; a meeting's minutes are those of its wall clock. */
export function calendarOf({ timeZone, now, oldStart, oldEnd }: Asker): Calendar {
  const { offset } = spanAt(offsetSpans(timeZone, oldStart, oldStart), oldStart);
  const oldDay = localDay(timeZone, oldStart);
  return {
    today: localDay(timeZone, now),
    oldDay,
    oldMinute: Math.floor((oldStart + offset - oldDay * DAY) / MINUTE),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
  };
}

/** The first instant at which the zone's clocks show that minute of the day or a later one. */
export function instantAt(timeZone: string, day: number, minute: number): number {
  const wall = day * DAY + minute * MINUTE;
  for (const span of offsetSpans(timeZone, wall - DAY, wall + DAY)) {
    const instant = Math.max(span.start, wall - span.offset);
    if (instant < span.end) return instant;
  }
  throw new RangeError('The time does not come near its day.');
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
