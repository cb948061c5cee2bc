import { DAY_MINUTES, formatDate, mondayOf, parseDate, WEEKDAYS, weekdayIndex } from '../../engine/time/dates.ts';
import { localDay } from '../../engine/time/zone.ts';
import type { Wish } from '../../engine/wish/wish.ts';
import type { Calendar } from '../calendar.ts';
import { type Asker, instantAt } from './asker.ts';

/** Minutes between the old time and the one at which the search aims, if the text only says "later" or "earlier". */
const CLEARLY = 120;
const SEARCHED_DAYS = 30;

/** Distance by which a text asks to move the meeting, in minutes of the clock and days. It is negative for earlier. */
export interface Shift {
  minutes?: number | undefined;
  days?: number | undefined;
}

/**
 * Returns the time to which the new time should stay close. It is the old clock time, the one asked for, or `aim`
 * (the minute of "around 4"), on the nearest day that the wish allows.
 */
export function nearOf(wish: Wish, shift: Shift, asker: Asker, calendar: Calendar, aim?: number): Wish['closeness'] {
  const day = nearDay(wish, shift, asker, calendar);
  const minute = aim ?? nearMinute(wish, shift, calendar, day === calendar.oldDay);
  const near = instantAt(asker.timeZone, day, minute);
  return near === asker.oldStart ? undefined : { near };
}

/**
 * Returns the minute of the day to aim at. On its old day, a meeting moves at least by its own length, unless the text
 * asks for less or rules its old time out.
 */
function nearMinute(
  { relative, clockFrom = 0, clockTo = DAY_MINUTES, refused = [] }: Wish,
  { minutes }: Shift,
  { oldMinute, durationMinutes }: Calendar,
  isOldDay: boolean,
) {
  const way = relative === undefined ? 0 : relative === 'later' ? 1 : -1;
  const isFree = refused.every(({ from, to }) => to <= oldMinute || oldMinute + durationMinutes <= from);
  const least = isOldDay && isFree ? durationMinutes : 0;
  const aim = oldMinute + (minutes ?? (way === 0 ? least : way * CLEARLY));
  return Math.max(clockFrom, Math.min(aim, clockTo - durationMinutes, DAY_MINUTES - durationMinutes));
}

function nearDay(wish: Wish, { days = 0 }: Shift, { timeZone }: Asker, { today, oldDay }: Calendar): number {
  const refused = new Set(wish.datesUnwanted);
  const isWorkDay = weekdayIndex(oldDay) < 5;
  const isOpen = (day: number) =>
    !refused.has(formatDate(day)) &&
    !wish.weekdaysUnwanted?.includes(WEEKDAYS[weekdayIndex(day)] ?? 'monday') &&
    (wish.weekdaysWanted === undefined || wish.weekdaysWanted.includes(WEEKDAYS[weekdayIndex(day)] ?? 'monday')) &&
    // Hardly anybody meets on New Year's Day unless they name it.
    (!formatDate(day).endsWith('-01-01') || wish.dates?.length === 1);
  const dates = wish.dates?.map((date) => parseDate(date) ?? oldDay);
  if (dates !== undefined && dates.length > 0) return nearestOf(dates, isOpen, oldDay);
  const first = wish.earliest === undefined ? today : localDay(timeZone, wish.earliest);
  const last = wish.latest === undefined ? Number.POSITIVE_INFINITY : localDay(timeZone, wish.latest - 1);
  const from = Math.max(today, Math.min(last, Math.max(first, oldDay + days)));
  const tried = Array.from({ length: SEARCHED_DAYS }, (_, i) => from + i);
  const fits = (day: number) =>
    day === oldDay || !isWorkDay || weekdayIndex(day) < 5 || wish.weekdaysWanted !== undefined;
  return tried.find((day) => day <= last && isOpen(day) && fits(day)) ?? from;
}

/**
 * Returns the wanted day that is nearest to the first wanted day and not refused. If five or more days are wanted,
 * returns the one nearest to the meeting's own weekday instead, and a work day if the meeting is on a work day.
 */
function nearestOf(dates: number[], isOpen: (day: number) => boolean, oldDay: number): number {
  const opened = dates.filter(isOpen);
  const working = opened.filter((day) => weekdayIndex(day) < 5);
  const isWeek = dates.length >= 5;
  const open = isWeek && weekdayIndex(oldDay) < 5 && working.length > 0 ? working : opened;
  const aim = isWeek ? mondayOf(dates[0] ?? oldDay) + weekdayIndex(oldDay) : (dates[0] ?? oldDay);
  const isNearer = (a: number, b: number) =>
    Math.abs(a - aim) < Math.abs(b - aim) || (Math.abs(a - aim) === Math.abs(b - aim) && a > b);
  return (open.length > 0 ? open : dates).reduce((best, day) => (isNearer(day, best) ? day : best));
}
