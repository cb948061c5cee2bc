import { formatInTimeZone } from 'date-fns-tz';
import { parseDate, twoDigits, weekdayIndex } from '../scheduling/dates.ts';
import type { Weekday } from '../scheduling/types.ts';
import type { Wish, WishPart } from '../scheduling/wish.ts';
import { localDay } from '../scheduling/zone.ts';
import { capitalized, clockIn, dateIn, listed } from './people.ts';

const DAY_MS = 86_400_000;
/** As many dates are named one by one. */
const MOST_NAMED = 3;

/** A part of a wish as it would stand in "it is …", and whether that part says what the time is not. */
export interface PartWords {
  words: string;
  /** The same, shorter, where the meeting's date has just been named. */
  met?: string;
  /** Set for parts that rule something out: what a time is that misses them, as in "it is …". */
  missed?: string;
}

/** What the words of a part are read against: the new time, and the one it had, on the asker's clock. */
export interface Told {
  timeZone: string;
  start: number;
  oldStart: number;
}

/** The words of one part; dates and times are those of the asker's zone. */
export function partWords(wish: Wish, part: WishPart, told: Told): PartWords {
  const { timeZone } = told;
  switch (part) {
    case 'earliest':
      return {
        words: `not before ${edge(wish.earliest ?? 0, timeZone)}`,
        missed: `before ${edge(wish.earliest ?? 0, timeZone)}`,
      };
    case 'latest':
      return { words: `before ${edge(wish.latest ?? 0, timeZone)}` };
    case 'dates':
      return { words: daysWords(wish.dates ?? []), met: metDays(wish.dates ?? [], told) };
    case 'datesUnwanted':
      return { words: `not ${daysWords(wish.datesUnwanted ?? [])}`, missed: daysWords(wish.datesUnwanted ?? []) };
    case 'weekdaysWanted':
      return { words: weekdayWords(wish.weekdaysWanted ?? []) };
    case 'weekdaysUnwanted':
      return {
        words: `not ${weekdayWords(wish.weekdaysUnwanted ?? [])}`,
        missed: weekdayWords(wish.weekdaysUnwanted ?? []),
      };
    case 'clockFrom':
    case 'clockTo':
      return hoursWords(wish, part);
    case 'clockUnwanted': {
      const { from, to } = wish.clockUnwanted ?? { from: 0, to: 0 };
      const hours = `between ${clock(from)} and ${clock(to)}`;
      return { words: `not ${hours}`, missed: hours };
    }
    case 'relative':
      return { words: `${wish.relative === 'earlier' ? 'earlier' : 'later'} in the day than before` };
    case 'notBeforeOldStart':
      return { words: 'no sooner than planned', missed: 'sooner than planned' };
  }
}

const NOON = 12 * 60;
const EVENING = 17 * 60;

/** Whether the hours asked for are the afternoon, so that both bounds are one wish. */
export const isAfternoon = ({ clockFrom, clockTo }: Wish) => clockFrom === NOON && clockTo === EVENING;

/** A whole part of the day by its name; else the bound that the part is. */
function hoursWords({ clockFrom, clockTo }: Wish, part: 'clockFrom' | 'clockTo'): PartWords {
  if (clockFrom === undefined && clockTo === NOON) return { words: 'in the morning' };
  if (isAfternoon({ clockFrom, clockTo })) return { words: 'in the afternoon' };
  if (part === 'clockTo') return { words: `over by ${clock(clockTo ?? 0)}` };
  return { words: `no earlier than ${clock(clockFrom ?? 0)}`, missed: `before ${clock(clockFrom ?? 0)}` };
}

const clock = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

/** A date when the instant is its midnight, else with the clock time. */
function edge(instant: number, timeZone: string): string {
  const time = clockIn(instant, timeZone);
  return time === '00:00' ? dateIn(instant, timeZone) : `${time} on ${dateIn(instant, timeZone)}`;
}

function daysWords(dates: string[]): string {
  const days = daysOf(dates);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  if (isWeek(days)) return `in the week of ${weekName(first)}`;
  const name = (day: number) => formatInTimeZone(day * DAY_MS, 'UTC', 'EEEE, d MMMM');
  if (days.length > MOST_NAMED && last - first === days.length - 1) return `between ${name(first)} and ${name(last)}`;
  return `on ${listed(days.map(name), 'or')}`;
}

/** The day as it was asked for: by the weeks since the old one, by its week, or by its name. */
function metDays(dates: string[], { start, oldStart, timeZone }: Told): string {
  const days = daysOf(dates);
  const later = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days.length === 1 && later > 0 && later % 7 === 0)
    return later === 7 ? 'a week later' : `${later / 7} weeks later`;
  if (isWeek(days)) return `in the week of ${weekName(days[0] ?? 0)}`;
  return `on ${formatInTimeZone(start, timeZone, 'EEEE')}`;
}

const daysOf = (dates: string[]) => dates.map((date) => parseDate(date) ?? 0).sort((a, b) => a - b);
const weekName = (day: number) => formatInTimeZone(day * DAY_MS, 'UTC', 'd MMMM');
/** At least the work days of one week, from its Monday on. */
const isWeek = (days: readonly number[]) =>
  days.length >= 5 && days.length <= 7 && weekdayIndex(days[0] ?? 0) === 0 && (days.at(-1) ?? 0) - (days[0] ?? 0) < 7;

const weekdayWords = (weekdays: Weekday[]) => `on a ${listed(weekdays.map(capitalized), 'or')}`;
