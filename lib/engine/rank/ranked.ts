import { DAY, MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { emptyMoment, type Moment, readWallTime } from '../time/moment.ts';
import { type Days, daysAround } from '../time/wall-instants.ts';
import { type OffsetSpan, offsetSpans } from '../time/zone.ts';
import type { Search } from '../types.ts';
import { type Comfort, comfortOf, quietDaysOf } from './comfort.ts';
import { scoreOf } from './score.ts';
import { tasteOf } from './taste.ts';

const LONGEST_MEETING = DAY;
const UNKNOWN = -1;

/** Both people's UTC offsets during one search, as lists of time spans. The offset is constant within each span. */
export interface Clocks {
  requester: readonly OffsetSpan[];
  other: readonly OffsetSpan[];
}

/**
 * Possible starts of a meeting in order of time, with the numbers that rank them. All lists share one index. `now` is
 * the time of the search.
 */
export interface Weighed {
  starts: readonly number[];
  now: number;
  /**
   * The latest start that counts as short notice because it is night for one of the people now. It lies before all
   * starts if it is nobody's night.
   */
  lastOvernight: number;
  products: Float64Array;
  /** The requester's local day of each start, counted from 1970-01-01. */
  days: Float64Array;
  /**
   * 1 for each start on a date that either person may well take off: 24 and 27 to 31 December, and days that bridge a
   * public holiday to days off. Undefined if no such date is near the starts.
   */
  quietDays: Uint8Array | undefined;
  comfort: Comfort;
  /**
   * Returns how comfortable a start is for both people. The comfort is computed once, when first needed, because most
   * starts have too low a product for it to matter.
   */
  comfortAt: (i: number) => number;
  /**
   * Returns the rating of a start by the two people's own rules, such as "rather not on Fridays". Undefined if no rule
   * rates any start.
   */
  tasteAt: ((i: number) => number) | undefined;
}

/** Returns the UTC offsets of both people's clocks for meetings that start between two instants. */
export function clocksOf({ requester, other }: Search, first: number, last: number): Clocks {
  return {
    requester: offsetSpans(requester.timeZone, first, last + LONGEST_MEETING),
    other: offsetSpans(other.timeZone, first, last + LONGEST_MEETING),
  };
}

/** Returns a meeting's start with both people's wall times, in the form that the ranking factors read. */
export function momentAt(search: Search, start: number): Moment {
  const moment = emptyMoment(search.now);
  readMoment(moment, clocksOf(search, start, start), start, search.durationMinutes * MINUTE);
  return moment;
}

/**
 * Computes the numbers that rank each start. The product comes from the ranking table, unless the caller passes another
 * `productAt`. The comfort is that of the window's days, unless the caller passes others.
 */
export function weigh(search: Search, starts: readonly number[], productAt = scoreOf, around?: Days): Weighed {
  const { now } = search;
  const count = starts.length;
  const products = new Float64Array(count);
  const days = new Float64Array(count);
  const [first, last] = [starts[0] ?? now, starts[count - 1] ?? now];
  const comfort = comfortOf(search, around);
  const isQuiet = [quietDaysOf(search.requester), quietDaysOf(search.other)] as const;
  const quietDays = hasQuietDay(isQuiet, first, last) ? new Uint8Array(count) : undefined;
  const clocks = clocksOf(search, first, last);
  const duration = search.durationMinutes * MINUTE;
  const moment = emptyMoment(now);
  for (let i = 0; i < count; i++) {
    readMoment(moment, clocks, edgeAt(starts, i), duration);
    products[i] = productAt(moment);
    days[i] = moment.requester.day;
    if (quietDays !== undefined && (isQuiet[0](moment.requester.day) || isQuiet[1](moment.other.day))) quietDays[i] = 1;
  }
  const comforts = new Float64Array(count).fill(UNKNOWN);
  const comfortAt = (i: number): number => {
    if (edgeAt(comforts, i) === UNKNOWN) {
      readMoment(moment, clocks, edgeAt(starts, i), duration);
      comforts[i] = comfort.at(moment);
    }
    return edgeAt(comforts, i);
  };
  const taste = tasteOf(search, first, last);
  const tasteAt = taste && ((i: number) => taste(edgeAt(starts, i)));
  const lastOvernight = first - now > DAY ? now : Math.min(comfort.afterNight().hour, now + DAY);
  return { starts, now, lastOvernight, products, days, quietDays, comfort, comfortAt, tasteAt };
}

/** Returns true if a day that somebody may well take off lies between two instants on some clock. */
function hasQuietDay(isQuiet: readonly ((day: number) => boolean)[], first: number, last: number): boolean {
  const { first: from, last: to } = daysAround({ start: first, end: last });
  for (let day = from; day <= to; day++) if (isQuiet.some((is) => is(day))) return true;
  return false;
}

function readMoment(moment: Moment, clocks: Clocks, start: number, duration: number): void {
  moment.start = start;
  readWallTime(moment.requester, clocks.requester, start, start + duration);
  readWallTime(moment.other, clocks.other, start, start + duration);
}
