import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Progress } from './progress.ts';
import { hasDays } from './spans.ts';

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

/**
 * Returns true if the text both wants and rules out a coming day: "I keep Fridays free for admin, so Friday works".
 */
export const contradicts = ({ wanted, refused }: Reading, _: readonly Box[], { today }: Calendar): boolean =>
  wanted.some(
    ({ dates = [], clock, weekdays }) =>
      clock === undefined &&
      weekdays === undefined &&
      dates.length > 0 &&
      dates.every(
        ({ first, last }) =>
          first !== undefined &&
          first === last &&
          first < today + 7 &&
          refused.some((box) => !box.dates && !box.clock && box.weekdays?.includes(weekdayIndex(first))),
      ),
  );

/**
 * The greatest length in minutes at which hours that contain the meeting's old time count as that time. Longer hours
 * leave room for a change.
 */
const LONGEST = 60;
/** The greatest length in minutes of hours that people name for something that fills them. */
const LONGEST_EVENT = 120;
const APPROVED =
  /\b(?:works?|good|fine|suits?|free|ok|okay|better|best|could|can|would|please|possible|between|any ?time|some ?time|only)\b/i;

/**
 * Returns true for wanted hours that begin at or before the meeting's old time and end after it: "3 to 4 on Wednesdays".
 * A person who moves a meeting wants to leave its time, so they name these hours for something else.
 */
export const isAroundOldTime = (
  { wanted, moves }: Reading,
  _: readonly Box[],
  { oldDay, oldMinute, durationMinutes }: Calendar,
): boolean =>
  moves.length === 0 &&
  wanted.some(
    ({ dates, weekdays, clock, quote }) =>
      clock !== undefined &&
      /\d/.test(quote) &&
      !APPROVED.test(quote) &&
      clock.from <= oldMinute &&
      clock.from > 0 &&
      oldMinute + durationMinutes < clock.to &&
      clock.to - clock.from <= LONGEST_EVENT &&
      (dates?.every(({ first, last }) => first === oldDay && last === oldDay) ?? true) &&
      (weekdays?.includes(weekdayIndex(oldDay)) ?? true),
  );

const STAYS = /\b(?:same|that) (?:week)?day\b/i;

/** Returns true for a wish that names nothing but the meeting's own time or day, and so asks for no change. */
export function asksForOldTime(
  { wanted, moves, soon, refused }: Reading,
  doubts: readonly Box[],
  calendar: Calendar,
): boolean {
  const { oldDay, oldMinute, durationMinutes } = calendar;
  if (moves.length > 0 || soon || wanted.length === 0 || refused.length > 0) return false;
  const isOldHour = (box: Box) =>
    !hasDays(box) && box.clock?.from === oldMinute && box.clock.to === oldMinute + durationMinutes;
  if (wanted.every(isOldHour) && doubts.length === 0) return true;
  return wanted.every(
    ({ dates, clock, quote }) =>
      dates?.length === 1 &&
      !(clock === undefined && STAYS.test(quote)) &&
      dates[0]?.first === oldDay &&
      dates[0].last === oldDay &&
      (clock === undefined ||
        (clock.from <= oldMinute && oldMinute + durationMinutes <= clock.to && clock.to - clock.from <= LONGEST)),
  );
}

/**
 * Returns true for wanted hours without a day that hold the meeting's present time, if a clause that was not understood
 * names that time too: "only in the afternoon, but the 15h of Wednesday they took too".
 */
export const staysAtOldHour = (
  { wanted, moves, soon, refused }: Reading,
  doubts: readonly Box[],
  { oldDay, oldMinute, durationMinutes }: Calendar,
): boolean => {
  const holdsOld = ({ dates, clock }: Box) =>
    (dates?.some(({ first = -1e9, last = 1e9 }) => first <= oldDay && oldDay <= last) ?? true) &&
    clock !== undefined &&
    clock.from <= oldMinute &&
    oldMinute + durationMinutes <= clock.to;
  return (
    moves.length === 0 &&
    !soon &&
    refused.length === 0 &&
    wanted.length > 0 &&
    wanted.every((box) => !hasDays(box) && holdsOld(box)) &&
    doubts.some((box) => hasDays(box) && holdsOld(box))
  );
};
