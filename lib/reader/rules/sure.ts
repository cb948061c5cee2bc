import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { type Progress, partsOfQuote, type Unclear } from './progress.ts';
import type { Item } from './scan.ts';
import { isBeforeAbsence, isHourOfAbsence, isTornApart, leavesOldTime, staysPut } from './senseless.ts';
import { hasDays, withoutDays } from './spans.ts';

/**
 * Returns the reading, or one that asks for no change if a clause that was not understood may change what the rest asks
 * for, or if nothing in the reading explains why the meeting should move. If we ask the person again, they lose a
 * message. If we misread them, they lose the meeting.
 */
export function onlyIfSure(reading: Reading, progress: Progress): Reading {
  const { doubts, unclear, calendar } = progress;
  const isDoubtful =
    [isHourOfAnotherDay, isVagueMove, isOtherHour, isCut, isHourOfAbsence, isTornApart].some((isTrue) =>
      isTrue(reading, doubts, calendar),
    ) ||
    leavesOldTime(reading, progress) ||
    staysPut(reading, progress) ||
    isBeforeAbsence(reading, progress) ||
    lacksHour(reading, unclear) ||
    unclear.some(isLimit) ||
    isRefusalBesideUnclear(reading, unclear) ||
    (isRefusalOnly(reading) && progress.asksForMore && !progress.isOutspoken);
  return isDoubtful ? withNothing(reading) : reading;
}

/** Returns true if the text rules times out and asks for none. */
const isRefusalOnly = ({ wanted, moves, soon, refused }: Reading): boolean =>
  wanted.length + moves.length === 0 && !soon && refused.length > 0;

/** Returns true if the text holds an hour that was not understood, and none that was: "Friday, 9 sharp". */
const lacksHour = ({ wanted, moves }: Reading, unclear: readonly Unclear[]): boolean =>
  moves.every(({ by }) => by === undefined) &&
  wanted.every(({ clock }) => clock === undefined) &&
  unclear.some(({ items }) => items.some(isBareHour));

/** Returns true for a clause with "only" and a time that was not understood, which bounds all else: "only on Wednesday". */
const isLimit = ({ items, boxes }: Unclear): boolean => {
  const only = items.findIndex(({ tag }) => tag === 'k');
  const time = items.findIndex(({ mention }) => mention !== undefined);
  const isPlain =
    items.slice(only, time).every(({ tag }) => tag !== 'x') && !items.some(({ tag }) => /[bun]/.test(tag));
  return boxes.length > 0 && only >= 0 && only < time && isPlain;
};

const HOUR = /^(?:\d{1,2}(?:[:.]\d\d)?(?:ish)?|(?!19|20)[01]\d[0-5]\d|2[1-3][0-5]\d)$/;

/** Returns true for a number that counts nothing: not for the one in "year 8" or in "5 inductions". */
const isBareHour = ({ tag, text }: Item, i: number, items: readonly Item[]): boolean =>
  tag === 'x' && HOUR.test(text) && !/[xdzv]/.test(items[i + 1]?.tag ?? '') && !/[xdz]/.test(items[i - 1]?.tag ?? '');

/**
 * Returns true if the text only rules times out, beside a clause that was not understood and whose days are not all
 * ruled out. That clause may ask for a time, or rule out the one that is left: "my first appointment is at 3 and the
 * last one at 6:40".
 */
const isRefusalBesideUnclear = (reading: Reading, unclear: readonly Unclear[]): boolean =>
  isRefusalOnly(reading) &&
  unclear.some(
    ({ boxes }) =>
      boxes.length === 0 ||
      boxes.some((box) => !reading.refused.some((whole) => whole.clock === undefined && isAmong(box, whole))),
  );

/** Returns true if all days of a box are days of another one. */
function isAmong(box: Box, { dates, weekdays }: Box): boolean {
  if (weekdays && dates === undefined) {
    const named =
      box.weekdays ??
      box.dates?.map(({ first, last }) => (first !== undefined && first === last ? weekdayIndex(first) : -1));
    return named?.every((day) => weekdays.includes(day)) ?? false;
  }
  if (dates === undefined || weekdays || box.dates === undefined || box.weekdays) return false;
  return dates.reduce<DateSpan[]>((left, day) => withoutDays(left, day), box.dates).length === 0;
}

/**
 * Returns true if hours that were not understood cut off a part of wanted hours on the same days: "first thing on
 * Wednesday, I'd like to have it done before clinic starts at half nine".
 */
const isCut = ({ wanted }: Reading, doubts: readonly Box[]): boolean =>
  wanted.some(
    (one) =>
      hasDays(one) &&
      doubts.some(
        (box) =>
          one.clock &&
          box.clock &&
          overlap(box.clock, one.clock) &&
          !holds(box.clock, one.clock) &&
          (hasDays(box) ? isAmong(box, one) || isAmong(one, box) : !isEndOnly(box.clock, one.clock)),
      ),
  );

/** Returns true if hours take only the end of hours that have no end of their own: "parents' evening" of "from 10 on". */
const isEndOnly = (taken: Clock, of: Clock): boolean => taken.from > of.from && of.to === 1440 && taken.to === 1440;

type Clock = NonNullable<Box['clock']>;
const holds = (one: Clock, other: Clock) => one.from <= other.from && other.to <= one.to;
const overlap = (one: Clock, other: Clock) => one.from < other.to && other.from < one.to;

/**
 * Returns true for wanted hours without a day if a clause that was not understood names a day other than the meeting's:
 * "human again from Thursday. 4pm?"
 */
function isHourOfAnotherDay({ wanted, refused }: Reading, doubts: readonly Box[], { oldDay }: Calendar): boolean {
  if (wanted.length === 0 || wanted.some(hasDays)) return false;
  const isOld = ({ dates, weekdays }: Box) =>
    dates?.some(({ first, last }) => first === oldDay && last === oldDay) ?? weekdays?.includes(weekdayIndex(oldDay));
  const named = doubts.filter(hasDays);
  return named.length > 0 && !named.some(isOld) && !refused.some(isOld);
}

/**
 * Returns true for "later" or "earlier" without an amount if the text also names a time that was not understood. That
 * time may say by how much.
 */
const isVagueMove = ({ wanted, moves }: Reading, doubts: readonly Box[]): boolean =>
  wanted.length === 0 && moves.length > 0 && moves.every(({ exactly }) => !exactly) && doubts.length > 0;

/**
 * Returns true if hours that were not understood cut off a part of wanted hours, and neither names a day: "late, I
 * cover the desk until half four".
 */
const isOtherHour = ({ wanted }: Reading, doubts: readonly Box[]): boolean =>
  wanted.some(
    (one) =>
      !hasDays(one) &&
      doubts.some(
        ({ clock, ...box }) =>
          !hasDays(box) && one.clock && clock && overlap(clock, one.clock) && !holds(clock, one.clock),
      ),
  );

/**
 * Removes all wishes and refusals for this meeting from what was read, and counts their words as not understood.
 * Standing rules from other words stay.
 */
function withNothing(reading: Reading): Reading {
  const { wanted, refused, moves, soon, standing, unread } = reading;
  const quotes = [...wanted, ...refused, ...moves, ...(soon ? [soon] : [])].map(({ quote }) => quote);
  return {
    ...reading,
    wanted: [],
    refused: [],
    moves: [],
    soon: undefined,
    standing: standing.filter(({ quote }) => !quotes.includes(quote)),
    unread: [...unread, ...quotes.flatMap(partsOfQuote)],
  };
}
