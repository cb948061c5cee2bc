import {
  DAY,
  DAY_MINUTES,
  formatDate,
  MINUTE,
  parseDate,
  sayDate,
  sayDayOfYear,
  weekdayIndex,
} from '../engine/time/dates.ts';
import { localDate, localDay } from '../engine/time/zone.ts';
import type { Weekday } from '../engine/types.ts';
import type { RefusedHours, Wish, WishPart } from '../engine/wish/wish-parts.ts';
import { say } from './patterns.ts';
import { capitalized, clockIn, clockOfMinutes, dateIn, listed, stretch, weekdayIn, withPlace } from './people.ts';

/** Largest number of dates that a sentence names one by one. */
const MOST_NAMED = 3;

/**
 * A `weekday` alone or another `day`, the `morning`, the `afternoon` or other `hours`, `from_hour` for "no earlier
 * than", and a `bound` in time. `from_hour` and words without a form cannot stand after "no time".
 */
export interface Phrase {
  words: string;
  form?: 'weekday' | 'day' | 'morning' | 'afternoon' | 'hours' | 'from_hour' | 'bound' | undefined;
}

/** The words follow "it is …". A demand that rules times out also has `missed`, for a time that breaks it. */
export interface PartWords extends Phrase {
  /** Shorter, for a sentence that has just named the meeting's date. */
  met?: Phrase;
  /** The date and clock times in the sentence already show this. If all parts are shown, none is said. */
  isShown?: boolean;
  /** Follows "it is …". Only parts that rule something out have it. */
  missed?: string;
  /** The dates that the person who asked can't make, if the demand rules out nothing else. */
  cannot?: string | undefined;
}

/** The phrases for a wish depend on the asker's zone. */
export interface NewTime {
  timeZone: string;
  start: number;
  end: number;
  oldStart: number;
  /** True if the sentence about the new time names a single day that the person asked for. */
  isDay?: boolean;
  /** True if the other attendee's clock shows another time. */
  hasOwnClock?: boolean | undefined;
}

export function partWords(wish: Wish, part: WishPart, told: NewTime): PartWords {
  switch (part) {
    case 'earliest':
      return earliestWords(wish.earliest ?? 0, told);
    case 'latest':
      return latestWords(wish.latest ?? 0, told);
    case 'dates':
      return datesPart(wish.dates ?? [], told);
    case 'datesUnwanted':
      return daysOffPart(wish.datesUnwanted ?? [], told);
    case 'weekdaysWanted':
      return { words: weekdayWords(wish.weekdaysWanted ?? []), form: 'day' };
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
      return refusedPart(wish.refused ?? [], told);
    case 'relative':
      return relativeWords(wish, told);
    case 'notBeforeOldStart':
      return { words: say('when.no_sooner'), missed: say('when.than_planned', { direction: 'sooner' }) };
  }
}

/** "not on a Monday" for a time that meets it, "on a Monday" for one that breaks it. */
const refusal = (missed: string): PartWords => ({ words: say('when.not', { words: missed }), missed });

const NOON = 12 * 60;
const EVENING = 17 * 60;

/** Sentences treat the two bounds as one demand. */
export const hasHours = ({ clockFrom, clockTo }: Wish) => clockFrom !== undefined && clockTo !== undefined;

/** Names a part of the day where the hours match one, and one clock time if the bounds leave no choice. */
function hoursWords(wish: Wish, part: 'clockFrom' | 'clockTo', told: NewTime): PartWords {
  const { start, end } = told;
  const { clockFrom, clockTo, clockAim, isClockGuessed = false } = wish;
  const minute = minuteIn(start, told.timeZone);
  // An afternoon shows by itself that it is not too early, and a morning that it is not too late.
  if (isClockGuessed && clockTo === undefined) return { words: say('when.not_too_early'), isShown: minute >= NOON };
  if (isClockGuessed && clockFrom === undefined) return { words: say('when.not_too_late'), isShown: minute < NOON };
  if (clockFrom === undefined && clockTo === NOON) return { words: say('when.morning'), form: 'morning' };
  if (clockFrom === NOON && clockTo === EVENING) return { words: say('when.afternoon'), form: 'afternoon' };
  // The end of an afternoon is seldom one that anybody named.
  const isRest = clockFrom !== undefined && clockFrom > NOON && clockTo === EVENING;
  if (clockFrom !== undefined && clockTo !== undefined) {
    const isOneTime = clockTo - clockFrom === (end - start) / MINUTE;
    if (clockAim !== undefined)
      return { words: say('when.around', { clock: clockOfMinutes(clockAim) }), form: 'hours', isShown: true };
    if (isOneTime) return { words: say('when.at', { clock: clockOfMinutes(clockFrom) }), form: 'hours', isShown: true };
    if (!isRest) return { words: betweenClocks(clockFrom, clockTo), form: 'hours' };
  }
  const clockOf = (minutes: number) =>
    told.hasOwnClock ? withPlace(clockOfMinutes(minutes), told.timeZone) : clockOfMinutes(minutes);
  if (part === 'clockTo' && !isRest) return { words: say('when.over_by', { clock: clockOf(clockTo ?? 0) }) };
  const from = clockFrom ?? 0;
  const clock = clockOf(from);
  return {
    words: say('when.no_earlier', { clock }),
    form: 'from_hour',
    missed: say('when.before', { edge: clock }),
    ...(minute > from && { met: { words: say('when.after', { edge: clock }), form: 'hours' } }),
  };
}

const betweenClocks = (from: number, to: number) =>
  say('when.between', { first: clockOfMinutes(from), last: clockOfMinutes(to) });

/** "half an hour later than before". Other lengths than the one asked for give only the direction. */
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

function minuteIn(instant: number, timeZone: string): number {
  const [hours = 0, minutes = 0] = clockIn(instant, timeZone).split(':').map(Number);
  return hours * 60 + minutes;
}

/** Describes a shift by the minutes that a wish asks for: "half an hour later". */
export function shiftWords({ relative = 'later' }: Wish, shiftMinutes: number): string {
  return say('when.shift', { length: stretch(shiftMinutes), direction: relative });
}

/** Names a whole month. Returns undefined unless both bounds are at midnight. */
export function periodWords({ earliest = 0, latest = 0 }: Wish, timeZone: string): string | undefined {
  if ([earliest, latest].some((instant) => clockIn(instant, timeZone) !== MIDNIGHT)) return undefined;
  const last = latest - DAY / 2;
  const [first = '', end = '', after = ''] = [earliest, last, latest].map((instant) => localDate(timeZone, instant));
  const isMonth = first.endsWith('-01') && after.endsWith('-01') && first.slice(0, 7) === end.slice(0, 7);
  if (isMonth) return say('when.month', { month: monthOf(first) });
  return say('when.between', { first: dateIn(earliest, timeZone), last: dateIn(last, timeZone) });
}

function earliestWords(earliest: number, { timeZone, start }: NewTime): PartWords {
  const missed = say('when.before', { edge: edge(earliest, timeZone) });
  const [clock, day] = [clockIn(earliest, timeZone), dateIn(earliest, timeZone)];
  if (clock === MIDNIGHT && localDate(timeZone, earliest).endsWith('-01-02'))
    return { words: say('when.after', { edge: "New Year's Day" }), form: 'bound', missed };
  if (clock !== MIDNIGHT)
    return { words: say('when.from', { edge: say('when.clock_on', { clock, day }) }), form: 'bound', missed };
  const words = say('when.from_on', { edge: day });
  const told = { words, form: 'bound', missed } as const;
  if (dateIn(start, timeZone) !== day) return told;
  return { ...told, met: { words: say('when.from_that_day', { day: weekdayIn(start, timeZone) }) }, isShown: true };
}

function latestWords(latest: number, { timeZone, oldStart }: NewTime): PartWords {
  if (latest === oldStart) return { words: say('when.than_planned', { direction: 'sooner' }) };
  if (clockIn(latest, timeZone) !== MIDNIGHT)
    return { words: say('when.before', { edge: edge(latest, timeZone) }), form: 'bound' };
  return { words: say('when.no_later', { day: dateIn(latest - 1, timeZone) }), form: 'bound' };
}

const MIDNIGHT = '0:00';

/** Formats one bound of a period: the date if it is midnight, else the clock time and the date. */
function edge(instant: number, timeZone: string): string {
  const [clock, day] = [clockIn(instant, timeZone), dateIn(instant, timeZone)];
  return clock === MIDNIGHT ? day : say('when.clock_on', { clock, day });
}

function namedDays(dates: string[]): string | undefined {
  const days = daysOf(dates);
  return days.length > MOST_NAMED ? undefined : listed(days.map(dayName), 'or');
}

const dayName = (day: number) => sayDate(formatDate(day));

function daysWords(dates: string[]): string {
  const days = daysOf(dates);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  if (isWeek(days)) return say('when.week', { date: weekName(first) });
  if (days.length > MOST_NAMED && last - first === days.length - 1)
    return say('when.between', { first: dayName(first), last: dayName(last) });
  return say('when.on', { days: namedDays(dates) ?? listed(days.map(dayName), 'or') });
}

/** Several days in a row from the old one on say only from when on the person can: "before Monday, 12 February". */
function daysOffPart(dates: string[], { timeZone, start, oldStart }: NewTime): PartWords {
  const days = daysOf(dates);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const isRun = days.length >= MOST_NAMED && last - first === days.length - 1;
  const [old, back] = [localDay(timeZone, oldStart), last + 1];
  if (!isRun || isWeek(days) || old < first || old > last)
    return {
      ...refusal(daysWords(dates)),
      cannot: days.length > 1 && days.includes(old) ? say('when.old_time') : namedDays(dates),
    };
  return { ...refusal(say('when.before', { edge: dayName(back) })), isShown: localDay(timeZone, start) === back };
}

/**
 * A meeting on one of the wanted dates gets a shorter phrase: "a week later" for a single day whole weeks after the old
 * one, and otherwise the weekday. Of more than three dates, the date shows by itself that it is one.
 */
function datesPart(dates: string[], { start, oldStart, timeZone }: NewTime): PartWords {
  const words = daysWords(dates);
  const days = daysOf(dates);
  const later = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days.length === 1 && later > 0 && later % 7 === 0)
    return {
      words,
      form: 'day',
      met: { words: later === 7 ? say('when.week_later') : say('when.weeks_later', { weeks: later / 7 }) },
    };
  if (isWeek(days) || days.length > MOST_NAMED) return { words, form: 'day', isShown: true };
  const met = { words: say('when.on', { days: weekdayIn(start, timeZone) }), form: 'weekday' } as const;
  return { words, form: 'day', met, isShown: true };
}

const daysOf = (dates: string[]) => dates.map((date) => parseDate(date) ?? 0).sort((a, b) => a - b);
const monthOf = (date: string) => sayDayOfYear(date).replace(/^\d+ /, '');
const weekName = (day: number) => sayDayOfYear(formatDate(day));
/** Returns true if the sorted days cover at least the five work days of one week, starting on its Monday. */
const isWeek = (days: readonly number[]) =>
  days.length >= 5 && days.length <= 7 && weekdayIndex(days[0] ?? 0) === 0 && (days.at(-1) ?? 0) - (days[0] ?? 0) < 7;

/** Leaves out refused hours that lie in others, as those before 10:00 do in the morning. */
const widest = (all: readonly RefusedHours[]): RefusedHours[] =>
  all.filter(
    (one) =>
      !all.some(
        (other) =>
          other !== one &&
          other.from <= one.from &&
          one.to <= other.to &&
          other.to - other.from > one.to - one.from &&
          (other.dates ?? other.weekdays) === undefined,
      ),
  );

/** Names the refused hours of the meeting's own date alone, if there are some: of other dates nobody needs to be told. */
function refusedPart(all: readonly RefusedHours[], { timeZone, start, oldStart }: NewTime): PartWords {
  const [date, old, minute] = [localDate(timeZone, start), localDate(timeZone, oldStart), minuteIn(oldStart, timeZone)];
  const isOld = ({ dates, from, to }: RefusedHours) => dates?.includes(old) && from <= minute && minute < to;
  const own = widest(all).filter(({ dates }) => dates?.includes(date) ?? true);
  const told = own.length > 0 ? own : widest(all);
  const cannot = all.every(isOld) ? say('when.old_time') : undefined;
  return { ...refusal(listed(told.map(refusedWords(date)), 'or')), isShown: true, cannot };
}

/** Describes refused hours: "before 10:00", "on a Friday after 15:00". The date that the sentence has just named is left out. */
const refusedWords = (named: string) => (refused: RefusedHours) => {
  const { dates, weekdays, from, to } = refused;
  const isNamed = dates?.includes(named) ?? true;
  const days = [...(dates && !isNamed ? [daysWords(dates)] : []), ...(weekdays ? [weekdayWords(weekdays)] : [])];
  const hours =
    from === 0
      ? say('when.before', { edge: clockOfMinutes(to) })
      : to === DAY_MINUTES
        ? say('when.after', { edge: clockOfMinutes(from) })
        : betweenClocks(from, to);
  return days.reduceRight((after, day) => say('when.days_and_hours', { days: day, hours: after }), hours);
};

const weekdayWords = (weekdays: Weekday[]) => say('when.on_a', { days: listed(weekdays.map(capitalized), 'or') });
