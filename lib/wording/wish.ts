import { formatInTimeZone } from 'date-fns-tz';
import { parseDate, twoDigits } from '../scheduling/dates.ts';
import type { Weekday } from '../scheduling/types.ts';
import type { Wish, WishPart } from '../scheduling/wish.ts';
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

/** The words of one part; dates and times are those of the asker's zone. */
export function partWords(wish: Wish, part: WishPart, timeZone: string, start: number): PartWords {
  switch (part) {
    case 'earliest':
      return {
        words: `not before ${edge(wish.earliest ?? 0, timeZone)}`,
        missed: `before ${edge(wish.earliest ?? 0, timeZone)}`,
      };
    case 'latest':
      return { words: `before ${edge(wish.latest ?? 0, timeZone)}` };
    case 'dates':
      return { words: daysWords(wish.dates ?? []), met: metDays(wish.dates ?? [], start, timeZone) };
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
      return { words: `no earlier than ${clock(wish.clockFrom ?? 0)}`, missed: `before ${clock(wish.clockFrom ?? 0)}` };
    case 'clockTo':
      return { words: `over by ${clock(wish.clockTo ?? 0)}` };
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

const clock = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

/** A date when the instant is its midnight, else with the clock time. */
function edge(instant: number, timeZone: string): string {
  const time = clockIn(instant, timeZone);
  return time === '00:00' ? dateIn(instant, timeZone) : `${time} on ${dateIn(instant, timeZone)}`;
}

function daysWords(dates: string[]): string {
  const days = dates.map((date) => parseDate(date) ?? 0).sort((a, b) => a - b);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const name = (day: number) => formatInTimeZone(day * DAY_MS, 'UTC', 'EEEE, d MMMM');
  if (days.length > MOST_NAMED && last - first === days.length - 1) return `between ${name(first)} and ${name(last)}`;
  return `on ${listed(days.map(name), 'or')}`;
}

const metDays = (dates: string[], start: number, timeZone: string) =>
  dates.length === 1 ? `on ${formatInTimeZone(start, timeZone, 'EEEE')}` : 'on one of the days';

const weekdayWords = (weekdays: Weekday[]) => `on a ${listed(weekdays.map(capitalized), 'or')}`;
