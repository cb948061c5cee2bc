import { formatInTimeZone } from 'date-fns-tz';
import { DAY, DAY_MINUTES, MINUTE, parseDate, weekdayIndex } from '../engine/time/dates.ts';
import { localDay } from '../engine/time/zone.ts';
import type { Weekday } from '../engine/types.ts';
import type { RefusedHours, Wish, WishPart } from '../engine/wish/wish.ts';
import { say } from './patterns.ts';
import { capitalized, clockIn, clockOfMinutes, dateIn, listed, stretch, withPlace } from './people.ts';

/** Largest number of dates that a sentence names one by one. */
const MOST_NAMED = 3;

/**
 * Phrases for one part of a rescheduling wish, to follow "it is …". Parts that rule something out also have a phrase
 * for a time that breaks them.
 */
export interface PartWords {
  words: string;
  /** Shorter phrase for a part that is met, used when the sentence has just named the meeting's date. */
  met?: string;
  /**
   * True if the meeting's date and clock times just named already show that this part is met. A sentence whose parts are
   * all shown needs none of the phrases.
   */
  isShown?: boolean;
  /** Phrase, after "it is …", for a time that breaks this part. Only parts that rule something out have one. */
  missed?: string;
}

/**
 * A moved meeting's new and old times, with the time zone of the attendee who asked. The phrases for a wish depend on
 * them.
 */
export interface NewTime {
  timeZone: string;
  start: number;
  end: number;
  oldStart: number;
  /** True if the sentence names a single day that was asked for. */
  isDay?: boolean;
  /** True if the other attendee's clock shows another time. */
  hasOwnClock?: boolean | undefined;
}

/**
 * Returns the phrases for one part of a rescheduling wish, with dates and times in the time zone of the attendee who
 * asked.
 */
export function partWords(wish: Wish, part: WishPart, told: NewTime): PartWords {
  const { timeZone } = told;
  switch (part) {
    case 'earliest':
      return earliestWords(wish.earliest ?? 0, told);
    case 'latest':
      return { words: say('when.before', { edge: edge(wish.latest ?? 0, timeZone) }) };
    case 'dates':
      return datesPart(wish.dates ?? [], told);
    case 'datesUnwanted':
      return refusal(daysWords(wish.datesUnwanted ?? []));
    case 'weekdaysWanted':
      return { words: weekdayWords(wish.weekdaysWanted ?? []) };
    case 'weekdaysUnwanted':
      return refusal(weekdayWords(wish.weekdaysUnwanted ?? []));
    case 'clockFrom':
    case 'clockTo':
      return hoursWords(wish, part, told);
    case 'clockUnwanted': {
      const { from, to } = wish.clockUnwanted ?? { from: 0, to: 0 };
      return refusal(betweenClocks(from, to));
    }
    case 'refused':
      return refusal(listed((wish.refused ?? []).map(refusedWords), 'or'));
    case 'relative':
      return relativeWords(wish, told);
    case 'notBeforeOldStart':
      return { words: say('when.no_sooner'), missed: say('when.than_planned', { direction: 'sooner' }) };
  }
}

/** Returns the phrases for times that somebody refused. */
const refusal = (missed: string): PartWords => ({ words: say('when.not', { words: missed }), missed });

const NOON = 12 * 60;
const EVENING = 17 * 60;

/**
 * Returns true if the wish has both a lower and an upper bound for the clock time. The two bounds count as one part.
 */
export const hasHours = ({ clockFrom, clockTo }: Wish) => clockFrom !== undefined && clockTo !== undefined;

/**
 * Returns the phrases for the clock hours that a wish asks for. Names a whole part of the day where the hours match
 * one, and gives one clock time if the bounds leave no choice. Otherwise gives both bounds, or the only one.
 */
function hoursWords(wish: Wish, part: 'clockFrom' | 'clockTo', told: NewTime): PartWords {
  const { start, end } = told;
  const { clockFrom, clockTo, isClockGuessed = false } = wish;
  if (isClockGuessed && clockTo === undefined) return { words: say('when.not_too_early') };
  if (isClockGuessed && clockFrom === undefined) return { words: say('when.not_too_late') };
  if (clockFrom === undefined && clockTo === NOON) return { words: say('when.morning') };
  if (clockFrom === NOON && clockTo === EVENING) return { words: say('when.afternoon') };
  if (clockFrom !== undefined && clockTo !== undefined) {
    const isOneTime = clockTo - clockFrom === (end - start) / MINUTE;
    if (!isOneTime) return { words: betweenClocks(clockFrom, clockTo) };
    return { words: say('when.at', { clock: clockOfMinutes(clockFrom) }), isShown: true };
  }
  const clockOf = (minutes: number) =>
    told.hasOwnClock ? withPlace(clockOfMinutes(minutes), told.timeZone) : clockOfMinutes(minutes);
  if (part === 'clockTo') return { words: say('when.over_by', { clock: clockOf(clockTo ?? 0) }) };
  const clock = clockOf(clockFrom ?? 0);
  const isLater = minuteIn(start, told.timeZone) > (clockFrom ?? 0);
  return {
    words: say('when.no_earlier', { clock }),
    missed: say('when.before', { edge: clock }),
    ...(isLater && { met: say('when.after', { edge: clock }) }),
  };
}

const betweenClocks = (from: number, to: number) =>
  say('when.between', { first: clockOfMinutes(from), last: clockOfMinutes(to) });

/**
 * Returns "half an hour later than before" if the meeting moved by exactly the shift that was asked for. Otherwise the
 * phrase gives only the direction.
 */
function relativeWords(wish: Wish, { timeZone, start, oldStart, isDay = false }: NewTime): PartWords {
  const isSameDay = dateIn(start, timeZone) === dateIn(oldStart, timeZone);
  const by = minuteIn(start, timeZone) - minuteIn(oldStart, timeZone);
  const { relative = 'later', shiftMinutes } = wish;
  if (shiftMinutes !== undefined && by === shiftMinutes * (relative === 'later' ? 1 : -1))
    return {
      words: say(isSameDay ? 'when.relative' : 'when.relative_in_day', { shift: shiftWords(wish, shiftMinutes) }),
    };
  if (isDay && by !== 0) return { words: say('when.hour', { hour: HOUR[relative] }) };
  return { words: say(by === 0 ? 'when.relative' : 'when.relative_in_day', { shift: relative }) };
}

const HOUR = { later: 'a later hour', earlier: 'an earlier hour' };

/** Returns the minutes since midnight that clocks in a time zone show at an instant. */
function minuteIn(instant: number, timeZone: string): number {
  const [hours = 0, minutes = 0] = clockIn(instant, timeZone).split(':').map(Number);
  return hours * 60 + minutes;
}

/** Describes a shift by the minutes that a wish asks for: "half an hour later". */
export function shiftWords({ relative = 'later' }: Wish, shiftMinutes: number): string {
  return say('when.shift', { length: stretch(shiftMinutes), direction: relative });
}

/**
 * Describes the days from the wish's `earliest` to its `latest` midnight, and a whole month by its name. Returns
 * undefined if either is not at midnight.
 */
export function periodWords({ earliest = 0, latest = 0 }: Wish, timeZone: string): string | undefined {
  if ([earliest, latest].some((instant) => clockIn(instant, timeZone) !== MIDNIGHT)) return undefined;
  const last = latest - DAY / 2;
  const [first, after] = [earliest, latest].map((instant) => formatInTimeZone(instant, timeZone, 'd'));
  const [month, lastMonth] = [earliest, last].map((instant) => formatInTimeZone(instant, timeZone, 'MMMM'));
  if (first === '1' && after === '1' && month === lastMonth && month !== undefined) return say('when.month', { month });
  return say('when.between', { first: dateIn(earliest, timeZone), last: dateIn(last, timeZone) });
}

/** Returns the phrases for the earliest start that a wish accepts. */
function earliestWords(earliest: number, { timeZone, start }: NewTime): PartWords {
  const missed = say('when.before', { edge: edge(earliest, timeZone) });
  const isSecondOfJanuary = formatInTimeZone(earliest, timeZone, 'd MMMM HH:mm') === '2 January 00:00';
  if (isSecondOfJanuary) return { words: say('when.after', { edge: "New Year's Day" }), missed };
  const [clock, day] = [clockIn(earliest, timeZone), dateIn(earliest, timeZone)];
  if (clock !== MIDNIGHT) return { words: say('when.from', { edge: say('when.clock_on', { clock, day }) }), missed };
  const words = say('when.from_on', { edge: day });
  if (dateIn(start, timeZone) !== day) return { words, missed };
  return { words, missed, met: say('when.from_that_day', { day: formatInTimeZone(start, timeZone, 'EEEE') }) };
}

const MIDNIGHT = '0:00';

/** Formats one bound of a period: the date if it is midnight, else the clock time and the date. */
function edge(instant: number, timeZone: string): string {
  const [clock, day] = [clockIn(instant, timeZone), dateIn(instant, timeZone)];
  return clock === MIDNIGHT ? day : say('when.clock_on', { clock, day });
}

function daysWords(dates: string[]): string {
  const days = daysOf(dates);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  if (isWeek(days)) return say('when.week', { date: weekName(first) });
  const name = (day: number) => formatInTimeZone(day * DAY, 'UTC', 'EEEE, d MMMM');
  if (days.length > MOST_NAMED && last - first === days.length - 1)
    return say('when.between', { first: name(first), last: name(last) });
  return say('when.on', { days: listed(days.map(name), 'or') });
}

/**
 * Describes the days that were asked for. If the meeting is on one of them, also gives a shorter phrase: "a week later"
 * if a single day was asked for and it lies whole weeks after the old day, and otherwise the weekday. A whole week, or
 * more than three days, has no shorter phrase.
 */
function datesPart(dates: string[], { start, oldStart, timeZone }: NewTime): PartWords {
  const words = daysWords(dates);
  const days = daysOf(dates);
  const later = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days.length === 1 && later > 0 && later % 7 === 0)
    return { words, met: later === 7 ? say('when.week_later') : say('when.weeks_later', { weeks: later / 7 }) };
  if (isWeek(days) || days.length > MOST_NAMED) return { words };
  const day = formatInTimeZone(start, timeZone, 'EEEE');
  return { words, met: say('when.on', { days: day }), isShown: true };
}

const daysOf = (dates: string[]) => dates.map((date) => parseDate(date) ?? 0).sort((a, b) => a - b);
const weekName = (day: number) => formatInTimeZone(day * DAY, 'UTC', 'd MMMM');
/** Returns true if the sorted days cover at least the five work days of one week, starting on its Monday. */
const isWeek = (days: readonly number[]) =>
  days.length >= 5 && days.length <= 7 && weekdayIndex(days[0] ?? 0) === 0 && (days.at(-1) ?? 0) - (days[0] ?? 0) < 7;

/** Describes refused hours: "before 10:00", "on a Friday after 15:00". */
function refusedWords({ dates, weekdays, from, to }: RefusedHours): string {
  const days = [...(dates ? [daysWords(dates)] : []), ...(weekdays ? [weekdayWords(weekdays)] : [])];
  const hours =
    from === 0
      ? say('when.before', { edge: clockOfMinutes(to) })
      : to === DAY_MINUTES
        ? say('when.after', { edge: clockOfMinutes(from) })
        : betweenClocks(from, to);
  return days.reduceRight((after, day) => say('when.days_and_hours', { days: day, hours: after }), hours);
}

const weekdayWords = (weekdays: Weekday[]) => say('when.on_a', { days: listed(weekdays.map(capitalized), 'or') });
