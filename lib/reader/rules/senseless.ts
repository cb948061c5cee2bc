import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, Reading, Wanted } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Progress } from './progress.ts';
import { hasDays } from './spans.ts';

/** Words with which people say that the meeting's present time is not meant. */
const OTHERWISE = /\b(?:other|another|different|new) (?:time|hour|slot)\b|\b(?:elsewhere|anywhere else)\b/i;

/** Returns true if a box holds the meeting's day, or names no day. */
const isOnOldDay = ({ dates, weekdays }: Box, { oldDay }: Calendar): boolean =>
  (dates?.some(({ first = -1e9, last = 1e9 }) => first <= oldDay && oldDay <= last) ?? true) &&
  (weekdays?.includes(weekdayIndex(oldDay)) ?? true);

/**
 * Returns true if the meeting's present time lies in what the text asks for, and nothing in the text speaks against it.
 * A person who asks for another time wants to leave the present one, so the text was misunderstood. A text that names one
 * wide time in known words, such as "by Friday please", may still say no more than that.
 */
export function staysPut({ wanted, refused, moves, soon }: Reading, { calendar, isPlain }: Progress): boolean {
  const { oldMinute: from, durationMinutes } = calendar;
  const to = from + durationMinutes;
  if (moves.length > 0 || soon) return false;
  const isAsked = wanted.some(
    (box) =>
      isOnOldDay(box, calendar) &&
      // "Tuesdays are fine" speaks of all of them.
      !(box.weekdays && !box.clock) &&
      !OTHERWISE.test(box.quote) &&
      !(isPlain && isWide(box) && !(box.clock?.from === from && FROM.test(box.quote))) &&
      (box.clock === undefined || (box.clock.from <= from && to <= box.clock.to)),
  );
  const isRefused = refused.some(
    (box) => isOnOldDay(box, calendar) && (box.clock === undefined || (box.clock.from < to && from < box.clock.to)),
  );
  return isAsked && !isRefused;
}

/** The least length in minutes of hours that leave room for a change. */
const SHORTEST = 90;

/** Returns true for days or hours that leave room for a change, such as "this week" or "the afternoon". */
const isWide = ({ dates, weekdays, clock, quote }: Wanted): boolean =>
  clock
    ? clock.to - clock.from >= SHORTEST
    : weekdays !== undefined || SAME.test(quote) || !dates?.every(({ first, last }) => first === last);

/** "From 3 to 4" may say where the meeting is moved from. */
const FROM = /\bfrom\b/i;
const SAME = /\b(?:same|that) (?:week)?day\b/i;

/**
 * Returns true for a wish for a weekday before an absence that the text named first and whose end it did not name in
 * words that the rules know: "away from Thursday, flying back on Monday. Tuesday?"
 */
export function isBeforeAbsence({ wanted, refused }: Reading, { text, calendar: { today } }: Progress): boolean {
  return refused.some(({ dates, quote, clock }) => {
    const start = dates?.length === 1 && dates[0]?.last === undefined ? dates[0]?.first : undefined;
    const isNamed = (box: Wanted) =>
      /\b(?:mon|tue|wed|thu|fri)[a-z]*\b/i.test(box.quote) &&
      text.indexOf(box.quote) > text.indexOf(quote) &&
      box.dates?.every(
        ({ first, last }) => first !== undefined && first === last && first > today && first < (start ?? 0),
      );
    return start !== undefined && clock === undefined && wanted.length > 0 && wanted.every(isNamed);
  });
}

/** Returns true if the text refuses every hour of every day, or each weekday on which it asks for the meeting. */
export function isTornApart({ wanted, refused }: Reading): boolean {
  const isEverything = ({ dates, weekdays, clock }: Box) =>
    dates === undefined && weekdays === undefined && clock !== undefined && clock.from <= 0 && clock.to >= DAY_MINUTES;
  const isRefused = (day: number | undefined) =>
    day !== undefined && refused.some(({ dates, clock, weekdays }) => !clock && !dates && weekdays?.includes(day));
  const daysOf = ({ dates = [], weekdays }: Box) =>
    weekdays ??
    dates.map(({ first, last }) => (first !== undefined && first === last ? weekdayIndex(first) : undefined));
  return (
    refused.some(isEverything) ||
    (wanted.length > 0 && wanted.map(daysOf).every((days) => days.length > 0 && days.every(isRefused)))
  );
}

/**
 * Returns true if the meeting's present time is left free by commitments that were understood, or is itself asked for.
 * Such a commitment, as in "our broadband goes off at noon", gives people no reason to move the meeting, so the text was
 * misunderstood. A refusal in plain words, such as "not Friday", stands in any case.
 */
export function leavesOldTime({ wanted, moves, soon, refused }: Reading, { isOutspoken, calendar }: Progress): boolean {
  const { oldDay, oldMinute, durationMinutes } = calendar;
  if (moves.length > 0 || soon || refused.length === 0) return false;
  const old = { from: oldMinute, to: oldMinute + durationMinutes };
  const takesOld = ({ dates, weekdays, clock }: Box) =>
    (dates?.some(({ first = -1e9, last = 1e9 }) => first <= oldDay && oldDay <= last) ?? true) &&
    (weekdays?.includes(weekdayIndex(oldDay)) ?? true) &&
    (clock === undefined || (clock.from <= old.to && old.from <= clock.to));
  if (refused.some(takesOld)) return false;
  const isOldDay = ({ dates, clock }: Box) =>
    clock === undefined && (dates?.every(({ first, last }) => first === oldDay && last === oldDay) ?? false);
  return wanted.length > 0 ? wanted.every(isOldDay) : !isOutspoken;
}

/**
 * Returns true for wanted hours without a day beside an absence of several days that begins before the meeting: "on
 * lates all week, so before noon would be great" asks for a time within what looks like an absence.
 */
export const isHourOfAbsence = ({ wanted, refused }: Reading, _: readonly Box[], { oldDay }: Calendar): boolean =>
  wanted.length > 0 &&
  !wanted.some(hasDays) &&
  refused.some(
    ({ dates, clock }) =>
      clock === undefined && dates?.some(({ first = -1e9, last = 1e9 }) => first < oldDay && oldDay < last),
  );
