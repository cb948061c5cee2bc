import type { AutoSearch } from './auto-factors.ts';
import { DAY, MINUTE, WEEKDAYS } from './dates.ts';
import { edgeAt, intersect } from './intervals.ts';
import type { Interval } from './types.ts';
import { daysAround, wallInstants } from './wall-instants.ts';
import { offsetSpans, spanAt } from './zone.ts';

/** How far back a pair's meetings count. */
export const CARRIED_DAYS = 90;

/** Minutes of their meetings with each other that lay outside 08:00-18:00 on each one's clocks. */
export interface Carried {
  requester: number;
  other: number;
}

const OPENS = 8 * 60;
const CLOSES = 18 * 60;
const DAY_HOURS = WEEKDAYS.map(() => [OPENS, CLOSES]);

/** Minutes of a meeting outside 08:00-18:00 on a zone's clocks. */
export function minutesOutside(timeZone: string, { start, end }: Interval): number {
  const inside = intersect([start, end], wallInstants(timeZone, daysAround({ start, end }), DAY_HOURS));
  let time = end - start;
  for (let i = 0; i < inside.length; i += 2) time -= edgeAt(inside, i + 1) - edgeAt(inside, i);
  return Math.round(time / MINUTE);
}

/** What each of the two has carried in these meetings of theirs. */
export function carriedIn(
  meetings: readonly Interval[],
  [requesterZone, otherZone]: readonly [string, string],
): Carried {
  const sum = (timeZone: string) => meetings.reduce((total, meeting) => total + minutesOutside(timeZone, meeting), 0);
  return { requester: sum(requesterZone), other: sum(otherZone) };
}

/**
 * Which of two equally good starts leaves the burden better shared, negative for the first: one who bears it comes before
 * two who do, then what each would have carried by then decides, then how far from their days it lies.
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

/** Minutes from a meeting's far end to the day of each one for whom it lies outside, together. */
function reachOf(zones: readonly string[], start: number, durationMinutes: number): number {
  const reaches = zones.map((timeZone) => {
    const { offset } = spanAt(offsetSpans(timeZone, start, start), start);
    const from = Math.floor(((start + offset) % DAY) / MINUTE);
    const to = from + durationMinutes;
    const [early, late] = [OPENS - from, to - CLOSES];
    return early <= 0 && late <= 0
      ? 0
      : Math.min(...[early, late, early + 24 * 60, late + 24 * 60].filter((far) => far > 0));
  });
  return reaches.reduce((sum, reach) => sum + reach, 0);
}

const peopleIn = ({ requester, other }: Carried) => Number(requester > 0) + Number(other > 0);
const plus = (a: Carried, b: Carried): Carried => ({ requester: a.requester + b.requester, other: a.other + b.other });

/**
 * Negative when the first leaves the burden better shared than the second: the one who would have carried more would have
 * carried less, or as much while the two carry less in all.
 */
export function compareBurdens(a: Carried, b: Carried): number {
  const greater = ({ requester, other }: Carried) => Math.max(requester, other);
  const total = ({ requester, other }: Carried) => requester + other;
  return greater(a) - greater(b) || total(a) - total(b);
}
