import { formatInTimeZone } from 'date-fns-tz';
import { parseDate, twoDigits, weekdayIndex } from '../scheduling/dates.ts';
import type { Weekday } from '../scheduling/types.ts';
import type { Wish, WishPart } from '../scheduling/wish.ts';
import { localDay } from '../scheduling/zone.ts';
import { capitalized, clockIn, dateIn, lasting, listed } from './people.ts';

const MINUTE_MS = 60_000;
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
  end: number;
  oldStart: number;
}

/** The words of one part; dates and times are those of the asker's zone. */
export function partWords(wish: Wish, part: WishPart, told: Told): PartWords {
  const { timeZone } = told;
  switch (part) {
    case 'earliest':
      return {
        words: fromWords(wish.earliest ?? 0, timeZone),
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
      return hoursWords(wish, part, told);
    case 'clockUnwanted': {
      const { from, to } = wish.clockUnwanted ?? { from: 0, to: 0 };
      const hours = `between ${clock(from)} and ${clock(to)}`;
      return { words: `not ${hours}`, missed: hours };
    }
    case 'relative':
      return relativeWords(wish, told);
    case 'notBeforeOldStart':
      return { words: 'no sooner than planned', missed: 'sooner than planned' };
  }
}

const NOON = 12 * 60;
const EVENING = 17 * 60;

/** Whether the hours asked for have two bounds, which are one wish. */
export const hasHours = ({ clockFrom, clockTo }: Wish) => clockFrom !== undefined && clockTo !== undefined;

/** A whole part of the day by its name, an hour that leaves no choice as such; else both bounds, or the one there is. */
function hoursWords({ clockFrom, clockTo }: Wish, part: 'clockFrom' | 'clockTo', { start, end }: Told): PartWords {
  if (clockFrom === undefined && clockTo === NOON) return { words: 'in the morning' };
  if (clockFrom === NOON && clockTo === EVENING) return { words: 'in the afternoon' };
  if (clockFrom !== undefined && clockTo !== undefined)
    return {
      words:
        clockTo - clockFrom === (end - start) / MINUTE_MS
          ? `at ${clock(clockFrom)}`
          : `between ${clock(clockFrom)} and ${clock(clockTo)}`,
    };
  if (part === 'clockTo') return { words: `over by ${clock(clockTo ?? 0)}` };
  return { words: `no earlier than ${clock(clockFrom ?? 0)}`, missed: `before ${clock(clockFrom ?? 0)}` };
}

/** "half an hour later than before" where that is what was asked for and what it is, else only which way it moved. */
function relativeWords(wish: Wish, { timeZone, start, oldStart }: Told): PartWords {
  const inDay = dateIn(start, timeZone) === dateIn(oldStart, timeZone) ? '' : ' in the day';
  const by = minuteIn(start, timeZone) - minuteIn(oldStart, timeZone);
  if (by === (wish.shiftMinutes ?? 0) * (wish.relative === 'later' ? 1 : -1))
    return { words: `${shiftWords(wish)}${inDay} than before` };
  return { words: `${wish.relative === 'earlier' ? 'earlier' : 'later'} in the day than before` };
}

/** Minutes that the zone's clocks show since midnight. */
function minuteIn(instant: number, timeZone: string): number {
  const [hours = 0, minutes = 0] = clockIn(instant, timeZone).split(':').map(Number);
  return hours * 60 + minutes;
}

/** "half an hour later": by how much the meeting was to be moved. */
export function shiftWords({ shiftMinutes = 0, relative = 'later' }: Wish): string {
  return `${shiftMinutes === 30 ? 'half an hour' : lasting(shiftMinutes)} ${relative}`;
}

/** The time between two midnights, a whole month by its name; undefined when an end is no midnight. */
export function periodWords({ earliest = 0, latest = 0 }: Wish, timeZone: string): string | undefined {
  if ([earliest, latest].some((instant) => clockIn(instant, timeZone) !== '00:00')) return undefined;
  const last = latest - DAY_MS / 2;
  const [first, after] = [earliest, latest].map((instant) => formatInTimeZone(instant, timeZone, 'd'));
  const [month, lastMonth] = [earliest, last].map((instant) => formatInTimeZone(instant, timeZone, 'MMMM'));
  if (first === '1' && after === '1' && month === lastMonth) return `in ${month}`;
  return `between ${dateIn(earliest, timeZone)} and ${dateIn(last, timeZone)}`;
}

function fromWords(instant: number, timeZone: string): string {
  const isSecondOfJanuary = formatInTimeZone(instant, timeZone, 'd MMMM HH:mm') === '2 January 00:00';
  return isSecondOfJanuary ? "after New Year's Day" : `not before ${edge(instant, timeZone)}`;
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
  if (isWeek(days) || days.length > MOST_NAMED) return daysWords(dates);
  return `on ${formatInTimeZone(start, timeZone, 'EEEE')}`;
}

const daysOf = (dates: string[]) => dates.map((date) => parseDate(date) ?? 0).sort((a, b) => a - b);
const weekName = (day: number) => formatInTimeZone(day * DAY_MS, 'UTC', 'd MMMM');
/** At least the work days of one week, from its Monday on. */
const isWeek = (days: readonly number[]) =>
  days.length >= 5 && days.length <= 7 && weekdayIndex(days[0] ?? 0) === 0 && (days.at(-1) ?? 0) - (days[0] ?? 0) < 7;

const weekdayWords = (weekdays: Weekday[]) => `on a ${listed(weekdays.map(capitalized), 'or')}`;
