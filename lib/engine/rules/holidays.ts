import { formatDate, parseDate, WEEKDAYS } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { type Days, daysAround, isWorkday, NO_DAYS, WHOLE_WEEK, wallInstants } from '../time/wall-instants.ts';
import { windowInterval } from '../time/window.ts';
import type { Interval, Search, SearchedPerson } from '../types.ts';

export interface Holiday {
  /** The date of the holiday as YYYY-MM-DD. */
  date: string;
  name: string;
}

export function holidaysDuring(person: Pick<SearchedPerson, 'timeZone' | 'holidays'>, span: Interval): Holiday[] {
  return holidayInstants(person, daysAround(span))
    .filter(({ instants }) => overlaps(instants, span))
    .map(({ date, name }) => ({ date, name }));
}

export function holidaysInSearch({ window, requester, within }: Search, person: SearchedPerson): Holiday[] {
  const span = within ?? windowInterval(window, requester.timeZone);
  return holidaysDuring(person, span).filter(({ date }) => isWorkday(person, dayOf(date)));
}

/** Each has the instants at which the person's clock shows its date. */
export function holidayInstants({ timeZone, holidays }: Pick<SearchedPerson, 'timeZone' | 'holidays'>, days: Days) {
  const found: (Holiday & { instants: number[] })[] = [];
  for (let day = days.first; day <= days.last; day++) {
    const name = holidays?.get(day);
    if (name === undefined) continue;
    const instants = wallInstants(timeZone, { first: day, last: day }, WHOLE_WEEK);
    found.push({ date: formatDate(day), name, instants });
  }
  return found;
}

export function withoutHoliday<P extends SearchedPerson>(person: P, { date }: Holiday): P {
  const holidays = new Map(person.holidays);
  holidays.delete(dayOf(date));
  return { ...person, holidays };
}

const dayOf = (date: string): number => parseDate(date) ?? 0;

/** A public holiday beside a date, if the date's other side is a day off. People like to take such a date off. */
export interface Bridge {
  holiday: Holiday;
  /** The side of the holiday on which the date lies. */
  side: 'before' | 'after';
}

type DaysOff = Pick<SearchedPerson, 'holidays' | 'workHours'>;

/** The date's other side is off too: the Friday after Thanksgiving, or a Monday before a holiday. */
export function bridgeAt(person: DaysOff, day: number): Bridge | undefined {
  const isOff = (one: number) => !isWorkday(person, one) || holidayOn(person, one) !== undefined;
  const [before, after] = [holidayOn(person, day - 1), holidayOn(person, day + 1)];
  if (before !== undefined && isOff(day + 1)) return { holiday: before, side: 'after' };
  return after !== undefined && isOff(day - 1) ? { holiday: after, side: 'before' } : undefined;
}

export function bridgeDays(person: DaysOff): ReadonlySet<number> {
  if (person.holidays === undefined) return NO_DAYS;
  const beside = [...person.holidays.keys()].flatMap((day) => [day - 1, day + 1]);
  return new Set(beside.filter((day) => bridgeAt(person, day) !== undefined));
}

/** The day is back if the person's last working day before it was a public holiday, or one on which they were away. */
export function besideDaysOff(person: DaysOff, day: number, isAway: (day: number) => boolean) {
  let last = day - 1;
  while (!isWorkday(person, last) && day - last < WEEKDAYS.length) last--;
  const isBack = holidayOn(person, last) !== undefined || isAway(last);
  return { isEve: holidayOn(person, day + 1) !== undefined, isBack };
}

function holidayOn(person: DaysOff, day: number): Holiday | undefined {
  const name = person.holidays?.get(day);
  return name !== undefined && isWorkday(person, day) ? { date: formatDate(day), name } : undefined;
}
