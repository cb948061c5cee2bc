import { formatDate, parseDate } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { type Days, daysAround, wallInstants } from '../time/wall-instants.ts';
import { isWorkday, WHOLE_WEEK } from '../time/week.ts';
import { windowInterval } from '../time/window.ts';
import type { Interval, Search, SearchedPerson } from '../types.ts';

export interface Holiday {
  /** The date of the holiday as YYYY-MM-DD. */
  date: string;
  name: string;
}

/** Returns the person's public holidays on the local dates that the span touches, in order. */
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
