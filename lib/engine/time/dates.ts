import type { Weekday } from '../types.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const DAY_MINUTES = 24 * 60;

export const WEEKDAYS: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

const ZERO = '0'.charCodeAt(0);
const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/** Returns the weekday of a day counted from 1970-01-01 (a Thursday): 0 for Monday to 6 for Sunday. */
export function weekdayIndex(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

export const mondayOf = (day: number): number => day - weekdayIndex(day);

/** Parses a calendar date YYYY-MM-DD to days since 1970-01-01. Returns undefined if the date does not exist. */
export function parseDate(date: string): number | undefined {
  const day = daysFromCivil(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)));
  // A date that does not exist, or that is written in another way, is formatted differently.
  return Number.isInteger(day) && formatDate(day) === date ? day : undefined;
}

/** Formats days since 1970-01-01 as YYYY-MM-DD. */
export function formatDate(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return `${twoDigits(Math.floor(year / 100))}${twoDigits(year % 100)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Writes a calendar date YYYY-MM-DD as people say it: "Monday, 7 January". */
export function sayDate(date: string): string {
  const weekday = WEEKDAYS[weekdayIndex(parseDate(date) ?? 0)] ?? '';
  return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}, ${sayDayOfYear(date)}`;
}

/** Writes a calendar date YYYY-MM-DD without its weekday: "7 January". */
export const sayDayOfYear = (date: string): string =>
  `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;

export function daysFromCivil(year: number, month: number, dayOfMonth: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dayOfMonth - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

/** Parses HH:MM, including 24:00, to minutes since midnight. */
export function parseMinute(time: string): number {
  const digit = (at: number) => time.charCodeAt(at) - ZERO;
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4);
}

/** Formats minutes since midnight as HH:MM. */
export const formatMinute = (minute: number): string =>
  `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

/** Formats milliseconds since midnight as HH:MM:SS. */
export function formatTime(time: number): string {
  const seconds = Math.floor(time / 1000);
  return `${formatMinute(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
}

/** Formats 0 to 99 with a leading zero. */
export function twoDigits(value: number): string {
  return TWO_DIGITS[value] ?? String(value);
}
