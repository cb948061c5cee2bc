import { daysFromCivil, formatDate, mondayOf, parseDate, twoDigits, weekdayIndex } from '../engine/time/dates.ts';
import { HORIZON_DAYS } from '../engine/time/window.ts';
import type { DateSpan } from '../engine/wish/reading.ts';

/** Days count from 1970-01-01, and minutes from midnight, on the asker's clock. */
export interface Calendar {
  today: number;
  oldDay: number;
  oldMinute: number;
  durationMinutes: number;
  /** The minute of today at which the text is written. It is missing for statements about any day. */
  minute?: number | undefined;
  timeZone?: string | undefined;
  /** The instant at which the clocks of two zones are compared, in epoch ms. By default noon of the meeting's day. */
  zonesAt?: number | undefined;
  /** The writer's work hours, for a model: "monday 09:00-17:00, …". */
  hours?: string | undefined;
  /** True if nobody has set a time yet. The old day and minute are made up then, and mean nothing. */
  isNew?: boolean | undefined;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

export const monthOf = (word: string): number =>
  word === 'sept' ? 9 : MONTHS.findIndex((name) => name === word || name.slice(0, 3) === word) + 1;

function civilOf(day: number): { year: number; month: number; date: number } {
  const [year, month, date] = formatDate(day).split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0, date: date ?? 0 };
}

export function monthSpan(day: number, after: number): { first: number; last: number } {
  const { year, month } = civilOf(day);
  const start = (months: number) => daysFromCivil(Math.floor(months / 12), (months % 12) + 1, 1);
  const months = year * 12 + month - 1 + after;
  return { first: start(months), last: start(months + 1) - 1 };
}

export const namedMonth = (today: number, month: number) => monthSpan(today, (month - civilOf(today).month + 12) % 12);

export const isReachable = ({ today }: Pick<Calendar, 'today'>, { first, last }: DateSpan): boolean =>
  (first ?? today) <= today + HORIZON_DAYS && (last ?? today) >= today;

const [SOON_DAYS, NEAR_DAYS, FARTHEST_DAYS] = [120, 21, 270];

export function dateOf({ today, oldDay }: Calendar, date: number, month = 0, ofYear = 0): number | 'past' | undefined {
  if (ofYear > 0) {
    const day = parseDate([ofYear, month, date].map(twoDigits).join('-'));
    return day !== undefined && day < today ? 'past' : day;
  }
  const [nearest] = Array.from({ length: 13 }, (_, k) => monthSpan(today, k).first + date - 1)
    .filter((day) => day >= today && civilOf(day).date === date && (month === 0 || civilOf(day).month === month))
    .sort((a, b) => Math.abs(a - oldDay) - Math.abs(b - oldDay));
  return nearest !== undefined && nearest - today > FARTHEST_DAYS ? 'past' : nearest;
}

export function dateOfPair(calendar: Calendar, a: number, b: number, ofYear?: number): number | undefined {
  const read = [dateOf(calendar, a, b, ofYear), dateOf(calendar, b, a, ofYear)]
    .flatMap((day) => (typeof day === 'number' ? [{ day, away: Math.abs(day - calendar.oldDay) }] : []))
    .filter(({ away }) => away <= SOON_DAYS)
    .sort((one, other) => one.away - other.away);
  const [near, far] = read;
  if (near === undefined || far === undefined || a === b) return near?.day;
  return near.away <= NEAR_DAYS && far.away >= 2 * NEAR_DAYS ? near.day : undefined;
}

export function weekdayNear({ today, oldDay }: Calendar, weekday: number): number {
  let day = mondayOf(oldDay) + weekday;
  while (day < today || (day === today && day !== oldDay)) day += 7;
  return day;
}

export const weekdayAfter = (day: number, weekday: number): number =>
  day + 1 + ((weekday - weekdayIndex(day + 1) + 7) % 7);
