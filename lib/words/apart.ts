import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import type { Holiday } from '../engine/rules/holidays.ts';
import { formatDate, mondayOf, parseDate } from '../engine/time/dates.ts';
import { localDay } from '../engine/time/zone.ts';
import { seasonOf } from './costs.ts';
import { GENERIC, holidayName } from './holiday-name.ts';
import { say } from './patterns.ts';
import type { Names } from './people.ts';

/** A difference between an offered time and the other offered times, in words. It is true of this time alone. */
export interface Difference {
  text: string;
  /** True if the difference speaks for the time, so that it can stand before "but" and a drawback. */
  isGain?: boolean;
  /** The date of the public holiday that the difference names. */
  holiday?: string;
}

/**
 * Returns the differences between an offered time and the others, most useful first: the place before or after a
 * public holiday, the soonest one, the room around the time, the half of the day, and the following week.
 */
export function differencesOf(facts: SlotFacts, offered: readonly SlotFacts[], names: Names): Difference[] {
  const others = offered.filter((one) => one !== facts);
  if (others.length === 0) return [];
  const hours = hoursOf(facts, others, names);
  // The sentence about an alternative already says how far it lies from the time that was asked for.
  if (facts.fromAsked !== undefined) return hours;
  const isSoonest = others.every(({ start }) => facts.start < start);
  return [
    ...besideHolidays(facts, others),
    ...(isSoonest ? [{ text: say('gain.soonest'), isGain: true }] : []),
    ...mostRoom(facts, others),
    ...hours,
    ...inWeek(facts, others),
  ];
}

const dayOf = ({ start, people: [{ timeZone }] }: SlotFacts) => localDay(timeZone, start);

/** Says that a time is the only one before or after a public holiday that lies among the dates, or the nearest one. */
function besideHolidays(facts: SlotFacts, others: readonly SlotFacts[]): Difference[] {
  const days = [facts, ...others].map(dayOf);
  // "Between Christmas and New Year" already says that a time comes after Christmas.
  const isToldOtherwise = seasonOf(facts.start, facts.people) !== undefined;
  if (isToldOtherwise || others.some((one) => dayOf(one) === dayOf(facts))) return [];
  const [first, last] = [formatDate(Math.min(...days)), formatDate(Math.max(...days))];
  const between = holidaysOf(facts).filter(({ date, name }) => date > first && date < last && isTelling(name));
  const dateOf = (one: SlotFacts) => formatDate(dayOf(one));
  return [
    ...between.slice(0, 1).flatMap(({ date, name }) => {
      const before = others.filter((one) => dateOf(one) < date);
      if (dateOf(facts) > date || before.some(({ start }) => start > facts.start)) return [];
      const holiday = holidayName(name);
      const pattern = before.length === 0 ? 'apart.only_beside' : 'apart.last_before';
      return [{ text: besideWords(facts, date, pattern, { side: 'before', holiday }), holiday: date }];
    }),
    ...between.slice(-1).flatMap(({ date, name }) => {
      const after = others.filter((one) => dateOf(one) > date);
      if (dateOf(facts) < date || after.some(({ start }) => start < facts.start)) return [];
      const holiday = holidayName(name);
      const pattern = after.length === 0 ? 'apart.only_beside' : 'apart.first_after';
      return [{ text: besideWords(facts, date, pattern, { side: 'after', holiday }), holiday: date }];
    }),
  ].map((difference) => ({ ...difference, isGain: true }));
}

/** Says on which side of a holiday a time lies: "the day before Thanksgiving Day", or with the pattern if it is farther. */
const besideWords = (
  facts: SlotFacts,
  date: string,
  pattern: 'apart.only_beside' | 'apart.last_before' | 'apart.first_after',
  beside: { side: 'before' | 'after'; holiday: string },
): string => {
  const isNextTo = Math.abs(dayOf(facts) - (parseDate(date) ?? 0)) === 1;
  return say(isNextTo ? 'cost.bridge' : pattern, beside);
};

/** Returns true if the name of a holiday says when it is. "National Holiday" and "Boxing Day (observed)" do not. */
const isTelling = (name: string) => !GENERIC.test(name) && !name.endsWith('(observed)');

/** Returns the public holidays on the dates searched that have one name for both people, in the order of their dates. */
function holidaysOf({ people }: SlotFacts): Holiday[] {
  const dates = Map.groupBy(
    people.flatMap(({ holidays }) => holidays),
    ({ date }) => date,
  );
  return [...dates.values()]
    .flatMap(([one, other]) => (one === undefined || (other && other.name !== one.name) ? [] : one))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Smallest number of minutes before and after a meeting that a sentence calls the most room. */
const ROOM_MINUTES = 60;
/** Two hours. Nobody feels the difference between two meetings that lie further from all others. */
const MOST_ROOM_MINUTES = 120;
/** Smallest difference in minutes for which a sentence compares two times. */
const TELLING_MINUTES = 30;

/** Says that a time leaves both people more room before and after it than any other. */
function mostRoom(facts: SlotFacts, others: readonly SlotFacts[]): Difference[] {
  const roomOf = ({ people }: SlotFacts) =>
    Math.min(MOST_ROOM_MINUTES, ...people.map(({ roomMinutes }) => roomMinutes));
  const room = roomOf(facts);
  const isRoomy = room >= ROOM_MINUTES && facts.people.every(({ hasRoom }) => hasRoom);
  const isMost = isRoomy && others.every((one) => room >= roomOf(one) + TELLING_MINUTES);
  return isMost ? [{ text: say('apart.room'), isGain: true }] : [];
}

/** Says of the earliest time in the week after the soonest one's that it is in the following week. */
function inWeek(facts: SlotFacts, others: readonly SlotFacts[]): Difference[] {
  const weekOf = (one: SlotFacts) => mondayOf(dayOf(one));
  const isFirst = others.every((one) => weekOf(one) !== weekOf(facts) || dayOf(facts) < dayOf(one));
  const isNext = Math.min(...others.map(weekOf)) === weekOf(facts) - 7;
  return isFirst && isNext ? [{ text: say('apart.next_week') }] : [];
}

const NOON = 12 * 60;
const EVENING = 17 * 60;

/** Says that a time is the only one in its half of the day, on one clock or on both. */
function hoursOf(facts: SlotFacts, others: readonly SlotFacts[], names: Names): Difference[] {
  const clocks = facts.people.flatMap(({ email, startMinute, isClockUnknown }, i) =>
    isClockUnknown ? [] : [{ email, own: startMinute, theirs: others.map((one) => one.people[i]?.startMinute ?? 0) }],
  );
  const who = (holds: (clock: (typeof clocks)[number]) => boolean): string | undefined => {
    const found = clocks.filter(holds);
    return found.length === clocks.length ? 'both' : found[0] && names.short(found[0].email);
  };
  const only = {
    morning: who(({ own, theirs }) => own < NOON && theirs.every((minute) => minute >= NOON)),
    afternoon: who(({ own, theirs }) => own >= NOON && own < EVENING && theirs.every((minute) => minute < NOON)),
  };
  const halves = (['morning', 'afternoon'] as const).flatMap((half) => {
    const whose = only[half];
    if (whose === undefined) return [];
    return whose === 'both' ? [say('apart.only_half', { half })] : [say('apart.only_half_for', { half, who: whose })];
  });
  return halves.map((text) => ({ text, isGain: true }));
}
