import type { Search, SearchedPerson } from '../../../lib/engine/types.ts';
import { minuteOf, wallAt } from '../engine/oracle/clock.ts';
import { intervalsOf } from '../engine/oracle/rules.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** An offered time with the other times of the same answer. */
export interface Compared {
  search: Search;
  own: number;
  others: number[];
}
type Holds = (compared: Compared, ...words: string[]) => boolean;

const dateOf = ({ search: { requester } }: Compared, at: number) => wallAt(requester.timeZone, at).date;
const dayOf = (compared: Compared, at: number) => Date.parse(dateOf(compared, at)) / DAY;
/** Counts weeks from Monday, 29 December 1969. */
const weekOf = (compared: Compared, at: number) => Math.floor((dayOf(compared, at) + 3) / 7);
const ofWeek = (compared: Compared) =>
  compared.others.filter((one) => weekOf(compared, one) === weekOf(compared, compared.own));
const isBeforeAll = (own: number, others: number[]) => others.every((one) => own < one);

const peopleOf = ({ search: { requester, other } }: Compared, who = 'both') =>
  who === 'both' ? [requester, other] : [who === 'Ada' ? requester : other];
/** Returns true if a condition holds for a time on the clock of each of the people, in minutes since midnight. */
const onClocks = (
  compared: Compared,
  who: string | undefined,
  holds: (own: number, others: number[]) => boolean,
): boolean =>
  peopleOf(compared, who).every(({ timeZone }) => {
    const minute = (at: number) => wallAt(timeZone, at).minute;
    return holds(minute(compared.own), compared.others.map(minute));
  });

const isMorning = (minute: number) => minute < 720;
const isAfternoon = (minute: number) => minute >= 720 && minute < 1020;

/** Returns true if a public holiday of that name splits the dates as a condition says. */
function isBesideHoliday(
  compared: Compared,
  name: string,
  holds: (own: number, others: number[], holiday: number) => boolean,
): boolean {
  const days = peopleOf(compared).flatMap(({ holidays }) =>
    [...(holidays ?? [])].flatMap(([day, one]) => (one === name.replace(/^the /, '') || one === name ? [day] : [])),
  );
  const others = compared.others.map((one) => dayOf(compared, one));
  return days.some((day) => holds(dayOf(compared, compared.own), others, day));
}

/** Returns the minutes without a meeting or a focus block on the emptier of both sides, and at most two hours. */
function roomOf({ search: { durationMinutes } }: Compared, { timeZone, busy, meetings, focusBlocks }: SearchedPerson) {
  const all = [...intervalsOf(busy), ...meetings].filter((one) => one.start < one.end);
  const isTaken = (at: number) => {
    const { weekday, minute } = wallAt(timeZone, at);
    return (
      all.some((one) => at >= one.start && at < one.end) ||
      focusBlocks.some(({ day, start, end }) => day === weekday && minute >= minuteOf(start) && minute < minuteOf(end))
    );
  };
  return (start: number) => {
    const end = start + durationMinutes * MINUTE;
    for (let step = 0; step < 120; step += 1)
      if (isTaken(start - (step + 1) * MINUTE) || isTaken(end + step * MINUTE)) return step;
    return 120;
  };
}

/** Words that compare an offered time with the others, with the condition under which they are true. */
export const COMPARISONS: [RegExp, Holds][] = [
  [/the soonest of these/, ({ own, others }) => isBeforeAll(own, others)],
  [
    /the only one of these before ([^,.;]+(?:Jr\. Day)?)/,
    (one, name = '') => isBesideHoliday(one, name, (own, others, day) => own < day && others.every((at) => at > day)),
  ],
  [
    /the only one of these after ([^,.;]+(?:Jr\. Day)?)/,
    (one, name = '') => isBesideHoliday(one, name, (own, others, day) => own > day && others.every((at) => at < day)),
  ],
  [
    /the last of these before ([^,.;]+(?:Jr\. Day)?)/,
    (one, name = '') =>
      isBesideHoliday(one, name, (own, others, day) => own < day && others.every((at) => at < own || at > day)),
  ],
  [
    /the first of these after ([^,.;]+(?:Jr\. Day)?)/,
    (one, name = '') =>
      isBesideHoliday(one, name, (own, others, day) => own > day && others.every((at) => at > own || at < day)),
  ],
  [
    /the day (before|after) ([^,.;]+(?:Jr\. Day)?), a day off/,
    (one, side, name = '') =>
      isBesideHoliday(one, name, (own, _others, day) => own === (side === 'before' ? day - 1 : day + 1)),
  ],
  [
    /with the most room of these before and after/,
    (one) => {
      const rooms = peopleOf(one).map((person) => roomOf(one, person));
      const least = (at: number) => Math.min(...rooms.map((room) => room(at)));
      return least(one.own) >= 60 && one.others.every((at) => least(at) < least(one.own));
    },
  ],
  [
    /in the following week/,
    (one) =>
      isBeforeAll(one.own, ofWeek(one)) &&
      Math.min(...one.others.map((at) => weekOf(one, at))) === weekOf(one, one.own) - 1,
  ],
  [
    /the only one of these in the morning(?: for (\w+))?/,
    (one, who) => onClocks(one, who, (own, others) => isMorning(own) && !others.some(isMorning)),
  ],
  [
    /the only one of these in the afternoon(?: for (\w+))?/,
    (one, who) => onClocks(one, who, (own, others) => isAfternoon(own) && others.every(isMorning)),
  ],
];
