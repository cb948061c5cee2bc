import { DAY, DAY_MINUTES, MINUTE, WEEKDAYS } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { offsetSpans, spanAt } from '../time/zone.ts';
import type { Interval } from '../types.ts';
import type { AutoSearch } from './auto-factors.ts';

/** The number of days back in which two people's meetings with each other count for fairness. */
export const CARRIED_DAYS = 90;

/** The minutes that each person has spent outside 08:00-18:00 on their own clock, in meetings with the other person. */
export interface Carried {
  requester: number;
  other: number;
}

const OPENS = 8 * 60;
const CLOSES = 18 * 60;
const DAY_HOURS = WEEKDAYS.map(() => [OPENS, CLOSES]);

/** Returns the minutes of a meeting that lie outside 08:00-18:00 on a zone's clocks. */
export function minutesOutside(timeZone: string, { start, end }: Interval): number {
  const inside = intersect([start, end], wallInstants(timeZone, daysAround({ start, end }), DAY_HOURS));
  let time = end - start;
  for (let i = 0; i < inside.length; i += 2) time -= edgeAt(inside, i + 1) - edgeAt(inside, i);
  return Math.round(time / MINUTE);
}

/** Returns the minutes of the given meetings that lie outside 08:00-18:00, added up for each of the two people. */
export function carriedIn(
  meetings: readonly Interval[],
  [requesterZone, otherZone]: readonly [string, string],
): Carried {
  const sum = (timeZone: string) => meetings.reduce((total, meeting) => total + minutesOutside(timeZone, meeting), 0);
  return { requester: sum(requesterZone), other: sum(otherZone) };
}

/**
 * Returns a comparator that sorts equally good starts by fairness, fairest first. A start at which fewer people meet
 * outside 08:00-18:00 comes first. Next comes the start after which the two people's totals of minutes outside are
 * shared more equally. Last comes the start whose meeting reaches less far outside.
 */
export function fairestFirst({ requester, other, durationMinutes, pairMeetings = [] }: AutoSearch) {
  const zones = [requester.timeZone, other.timeZone] as const;
  const before = carriedIn(pairMeetings, zones);
  const known = new Map<number, Carried>();
  const outside = (start: number): Carried => {
    const own = known.get(start) ?? carriedIn([{ start, end: start + durationMinutes * MINUTE }], zones);
    known.set(start, own);
    return own;
  };
  return (a: number, b: number): number => {
    const [one, two] = [outside(a), outside(b)];
    return (
      peopleIn(one) - peopleIn(two) ||
      compareBurdens(plus(before, one), plus(before, two)) ||
      reachOf(zones, a, durationMinutes) - reachOf(zones, b, durationMinutes)
    );
  };
}

/**
 * Returns the minutes by which a meeting reaches beyond 08:00-18:00, added up over both people. A person for whom the
 * meeting lies inside adds 0.
 */
function reachOf(zones: readonly string[], start: number, durationMinutes: number): number {
  const reaches = zones.map((timeZone) => {
    const { offset } = spanAt(offsetSpans(timeZone, start, start), start);
    const from = Math.floor(((start + offset) % DAY) / MINUTE);
    const to = from + durationMinutes;
    const [early, late] = [OPENS - from, to - CLOSES];
    return early <= 0 && late <= 0
      ? 0
      : Math.min(...[early, late, early + DAY_MINUTES, late + DAY_MINUTES].filter((far) => far > 0));
  });
  return reaches.reduce((sum, reach) => sum + reach, 0);
}

const peopleIn = ({ requester, other }: Carried) => Number(requester > 0) + Number(other > 0);
const plus = (a: Carried, b: Carried): Carried => ({ requester: a.requester + b.requester, other: a.other + b.other });

/**
 * Compares two ways to divide minutes outside 08:00-18:00 between two people. Returns a negative number if the first is
 * fairer. It is fairer if the person with more minutes has fewer than in the second, or has as many while the total is
 * smaller.
 */
export function compareBurdens(a: Carried, b: Carried): number {
  const greater = ({ requester, other }: Carried) => Math.max(requester, other);
  const total = ({ requester, other }: Carried) => requester + other;
  return greater(a) - greater(b) || total(a) - total(b);
}
