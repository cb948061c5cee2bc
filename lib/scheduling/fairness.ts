import { MINUTE, WEEKDAYS } from './dates.ts';
import { edgeAt, intersect } from './intervals.ts';
import type { Interval } from './types.ts';
import { daysAround, wallInstants } from './wall-instants.ts';

/** How far back a pair's meetings count. */
export const CARRIED_DAYS = 90;

/** Minutes of their meetings with each other that lay outside 08:00-18:00 on each one's clocks. */
export interface Carried {
  requester: number;
  other: number;
}

const DAY_HOURS = WEEKDAYS.map(() => [8 * 60, 18 * 60]);

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
 * Negative when the first leaves the burden better shared than the second: the one who would have carried more would have
 * carried less, or as much while the two carry less in all.
 */
export function compareBurdens(a: Carried, b: Carried): number {
  const greater = ({ requester, other }: Carried) => Math.max(requester, other);
  const total = ({ requester, other }: Carried) => requester + other;
  return greater(a) - greater(b) || total(a) - total(b);
}
