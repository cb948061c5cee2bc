import { formatDate, WEEKDAYS } from '../time/dates.ts';
import { NO_DAYS } from '../time/wall-instants.ts';
import { isWorkday } from '../time/week.ts';
import type { SearchedPerson } from '../types.ts';
import type { Holiday } from './holidays.ts';

/** A public holiday beside a date, if the date's other side is a day off. People like to take such a date off. */
export interface Bridge {
  holiday: Holiday;
  /** The side of the holiday on which the date lies. */
  side: 'before' | 'after';
}

type Days = Pick<SearchedPerson, 'holidays' | 'workHours'>;

/** The date's other side is off too: the Friday after Thanksgiving, or a Monday before a holiday. */
export function bridgeAt(person: Days, day: number): Bridge | undefined {
  const isOff = (one: number) => !isWorkday(person, one) || holidayOn(person, one) !== undefined;
  const [before, after] = [holidayOn(person, day - 1), holidayOn(person, day + 1)];
  if (before !== undefined && isOff(day + 1)) return { holiday: before, side: 'after' };
  return after !== undefined && isOff(day - 1) ? { holiday: after, side: 'before' } : undefined;
}

/** Returns the dates that bridge a person's public holidays to days off. */
export function bridgeDays(person: Days): ReadonlySet<number> {
  if (person.holidays === undefined) return NO_DAYS;
  const beside = [...person.holidays.keys()].flatMap((day) => [day - 1, day + 1]);
  return new Set(beside.filter((day) => bridgeAt(person, day) !== undefined));
}

/** The day is back if the person's last working day before it was a public holiday, or one on which they were away. */
export function besideDaysOff(person: Days, day: number, isAway: (day: number) => boolean) {
  let last = day - 1;
  while (!isWorkday(person, last) && day - last < WEEKDAYS.length) last--;
  const isBack = holidayOn(person, last) !== undefined || isAway(last);
  return { isEve: holidayOn(person, day + 1) !== undefined, isBack };
}

function holidayOn(person: Days, day: number): Holiday | undefined {
  const name = person.holidays?.get(day);
  return name !== undefined && isWorkday(person, day) ? { date: formatDate(day), name } : undefined;
}
