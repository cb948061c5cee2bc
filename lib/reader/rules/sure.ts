import { weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { partsOfQuote } from './progress.ts';
import { withoutDays } from './spans.ts';

/**
 * Returns the reading, or one that asks for no change if a clause that was not understood may change what the rest asks
 * for. `doubts` are the times that such clauses name. If we ask the person again, they lose a message. If we misread
 * them, they lose the meeting.
 */
export function onlyIfSure(reading: Reading, doubts: readonly Box[], calendar: Calendar): Reading {
  const isDoubtful = [isRefusalAlone, isHourOfAnotherDay, isVagueMove, isOtherHour, asksForOldTime].some((isTrue) =>
    isTrue(reading, doubts, calendar),
  );
  return isDoubtful ? withNothing(reading) : reading;
}

const hasDays = ({ dates, weekdays }: Box) => dates !== undefined || weekdays !== undefined;

/**
 * Returns true if only refusals were read, and a time that was not understood may be the one that the person wants:
 * "Wednesday is out. On Thursday there would be two of us".
 */
function isRefusalAlone(
  { wanted, moves, soon, refused }: Reading,
  doubts: readonly Box[],
  { oldDay }: Calendar,
): boolean {
  if (wanted.length + moves.length > 0 || soon || refused.length === 0) return false;
  const whole = refused.flatMap(({ dates, clock }) => (clock ? [] : (dates ?? [])));
  const weekdays = refused.flatMap((box) => box.weekdays ?? []);
  const isOpen = ({ first, last }: DateSpan) =>
    first === undefined || last === undefined || last - first > 6 || !weekdays.includes(weekdayIndex(first));
  const touchesOld = refused.some(
    ({ dates, weekdays: named }) =>
      dates?.some(({ first = oldDay, last = oldDay }) => first <= oldDay && oldDay <= last) ??
      named?.includes(weekdayIndex(oldDay)) ??
      true,
  );
  return doubts.some(({ dates, weekdays: named, clock }) => {
    if (named) return named.some((day) => !weekdays.includes(day) && (day !== weekdayIndex(oldDay) || !touchesOld));
    if (dates === undefined) return clock !== undefined && !refused.some((box) => box.clock && holds(box.clock, clock));
    const left = [...whole, ...(touchesOld ? [{ first: oldDay, last: oldDay }] : [])].reduce<DateSpan[]>(
      (all, day) => withoutDays(all, day),
      dates,
    );
    return left.some(isOpen);
  });
}

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
  wanted.length === 0 && moves.length > 0 && moves.every(({ by }) => by === undefined) && doubts.length > 0;

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

/** Length in minutes up to which wanted hours around the meeting's own time name just that time. */
const LONGEST = 60;
const STAYS = /\b(?:same|that) (?:week)?day\b/i;

/** Returns true for a wish that names nothing but the meeting's own time or day, and so asks for no change. */
function asksForOldTime(
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
 * Takes back all that was read for this meeting. Everything asked for or refused counts as not understood. Rules from
 * other words stay.
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
