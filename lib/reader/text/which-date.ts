import { formatDate, weekdayIndex } from '../../engine/time/dates.ts';
import { type Calendar, civilOf, dayIn } from './calendar.ts';
import { days, type Found } from './mentions.ts';

// Finds the date that somebody means who names no year, and often no month.

const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const MONTH =
  '(january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|september|sept|sep|october|oct|november|nov|december|dec)';
export const monthOf = (name = '') => MONTH_NAMES.indexOf(name.slice(0, 3)) + 1;

const PAST_DAYS = 31;
/** The greatest number of days ahead of a date that is named without a year. A later one is past. */
const FARTHEST_DAYS = 270;

/**
 * Finds the day with this day of the month that is nearest to the meeting and not past. It searches the given month, or
 * any month if none is given.
 */
export function dateOf({ today, oldDay }: Calendar, date: number, month?: number, weekday?: number): Found | undefined {
  const { year, month: thisMonth } = civilOf(today);
  const tried: number[] = [];
  for (let k = 0; k < 13; k++) {
    const at = thisMonth - 1 + k;
    const day = dayIn(year + Math.floor(at / 12), (at % 12) + 1, date);
    const fits = weekday === undefined || (day !== undefined && weekdayIndex(day) === weekday);
    if (day !== undefined && day >= today && fits && (month === undefined || (at % 12) + 1 === month)) tried.push(day);
  }
  const [nearest] = tried.sort((a, b) => Math.abs(a - oldDay) - Math.abs(b - oldDay));
  if (nearest === undefined) return undefined;
  // "The 2nd of November", written at the end of November, looks back.
  if (nearest - today > FARTHEST_DAYS) return { mention: { kind: 'unclear' } };
  return { mention: { kind: 'days', first: nearest, last: nearest, ...(month === undefined && { date }) } };
}

/**
 * Returns the day that a date names, checked against a weekday before it, if there is one. If the weekday is not the
 * date's, and the text names no month, looks for a month in which both fit, up to 62 days after the meeting. Otherwise
 * the mention is unclear.
 */
export function datedOn(
  calendar: Calendar,
  weekday: number | undefined,
  date: number,
  month?: number,
): Found | undefined {
  const found = dateOf(calendar, date, month);
  if (found === undefined || weekday === undefined || isOn(found, weekday)) return found;
  const other = month === undefined ? dateOf(calendar, date, undefined, weekday) : undefined;
  const isNear = other?.mention.kind === 'days' && other.mention.first - calendar.oldDay <= 2 * PAST_DAYS;
  return isNear ? other : { mention: { kind: 'unclear' } };
}

const isOn = ({ mention }: Found, weekday: number) =>
  mention.kind !== 'days' || weekdayIndex(mention.first) === weekday;

const SOON_DAYS = 120;
const NEAR_DAYS = 21;

/**
 * Reads two numbers as a day and a month in either order, if only one order gives a date within 120 days of the
 * meeting. If both orders do, takes the nearer date, but only if it is within 21 days of the meeting and the other is
 * at least 42 days away. Otherwise returns undefined.
 */
export function dateOfPair(calendar: Calendar, a: number, b: number): Found | undefined {
  const away = (found: Found | undefined) =>
    found?.mention.kind === 'days' ? Math.abs(found.mention.first - calendar.oldDay) : Number.POSITIVE_INFINITY;
  const read = [dateOf(calendar, a, b), dateOf(calendar, b, a)].filter((found) => away(found) <= SOON_DAYS);
  const [near, far] = read.sort((one, other) => away(one) - away(other));
  // Both orders can be dates. One of them is meant if it is near the meeting and the other is not.
  return read.length === 1 || a === b || (away(near) <= NEAR_DAYS && away(far) >= 2 * NEAR_DAYS) ? near : undefined;
}

/**
 * Reads the days from one day of the month to another, as in "the 3rd to the 5th". Returns undefined if they are not in
 * order or the last one is past.
 */
export function rangeOf(calendar: Calendar, first: number, last: number, month?: number): Found | undefined {
  const [from, to] = [
    dateOf({ ...calendar, today: calendar.today - PAST_DAYS }, first, month),
    dateOf(calendar, last, month),
  ];
  if (from?.mention.kind !== 'days' || to?.mention.kind !== 'days' || first > last) return undefined;
  const length = last - first;
  return days(to.mention.first - length, to.mention.first);
}

/**
 * Returns the first day on or after the meeting's day with this day of the month. "After the 3rd" means that day if the
 * 3rd that was read lies before the meeting.
 */
export function againAfter(oldDay: number, date: number): number {
  let day = oldDay;
  while (Number(formatDate(day).slice(8)) !== date) day++;
  return day;
}

/**
 * Reads two dates of one month in figures, as in "12/1 to 12/4", which name the month first in one country and last in
 * another. Returns undefined unless exactly one order makes them days of the same month.
 */
export function pairsOf(calendar: Calendar, [a = 0, b = 0, c = 0, d = 0]: number[]): Found | undefined {
  const monthFirst = a === c && a <= 12 && b < d ? rangeOf(calendar, b, d, a) : undefined;
  const monthLast = b === d && b <= 12 && a < c ? rangeOf(calendar, a, c, b) : undefined;
  return monthFirst === undefined ? monthLast : monthLast === undefined ? monthFirst : undefined;
}
