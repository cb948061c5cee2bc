import { DAY, DAY_MINUTES, MINUTE, WEEKDAYS } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { formatInZone, offsetSpans, spanAt } from '../time/zone.ts';
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

/** How many meetings start before 08:00 on a person's clock, and how many others end after 18:00. */
export interface Sides {
  early: number;
  late: number;
}

/** Counts the meetings outside 08:00-18:00 on a zone's clocks. One that starts before 08:00 is early, the others late. */
export function sidesOf(meetings: readonly Interval[], timeZone: string): Sides {
  const outside = meetings.filter((meeting) => minutesOutside(timeZone, meeting) > 0);
  const early = outside.filter(({ start }) => formatInZone(timeZone, start).slice(11, 13) < '08').length;
  return { early, late: outside.length - early };
}

/**
 * Returns a comparator that sorts equally good starts by fairness, fairest first. A start at which fewer people meet
 * outside 08:00-18:00 comes first. Next comes the start that adds less to the person who has had more minutes outside.
 * Last comes the start whose meeting reaches less far outside.
 */
export function fairestFirst({ requester, other, durationMinutes, pairMeetings = [] }: AutoSearch) {
  const zones = [requester.timeZone, other.timeZone] as const;
  const before = carriedIn(pairMeetings, zones);
  const known = new Map<number, Carried & { reach: number }>();
  const outside = (start: number) => {
    const own = known.get(start) ?? {
      ...carriedIn([{ start, end: start + durationMinutes * MINUTE }], zones),
      reach: reachOf(zones, start, durationMinutes),
    };
    known.set(start, own);
    return own;
  };
  return (a: number, b: number): number => {
    const [one, two] = [outside(a), outside(b)];
    return peopleIn(one) - peopleIn(two) || compareAdded(before, one, two) || one.reach - two.reach;
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

/**
 * Compares two meetings by the minutes outside 08:00-18:00 that each adds to what two people have had before. Returns a
 * negative number if the first is fairer. It is fairer if it adds less to the person who has had more, or adds the same
 * to that person and less to the other. If both have had the same, it is fairer if the most that it adds to one person
 * is less (schema/DECISIONS.md, "Automatic scheduling").
 */
export function compareAdded(before: Carried, a: Carried, b: Carried): number {
  const total = ({ requester, other }: Carried) => requester + other;
  const toWhoHasMore = (added: Carried) =>
    before.requester === before.other
      ? Math.max(added.requester, added.other)
      : before.requester > before.other
        ? added.requester
        : added.other;
  return toWhoHasMore(a) - toWhoHasMore(b) || total(a) - total(b);
}

/**
 * The record of how two people share meetings outside 08:00-18:00. `carried` maps each person's email to their minutes
 * outside, on their own clock, in their other meetings with each other from 90 days ago on.
 */
export interface Fairness {
  carried: Record<string, number>;
  /** The number of these meetings that are early and that are late for each person, by email. */
  sides: Record<string, Sides>;
  /** The one of these meetings outside each person's day, by email, if there is exactly one. */
  single: Record<string, { isOver: boolean } | undefined>;
  /** True if the two people have only one other meeting with each other, early, late or neither. */
  isOneMeeting: boolean;
  /**
   * The email of the person whose turn it was to meet outside 08:00-18:00. Undefined if fairness did not decide between
   * equally good times.
   */
  turn: string | undefined;
}

/**
 * Returns each person's minutes outside 08:00-18:00 so far, and the person whose turn it was. It was a person's turn if
 * an equally good time would have been outside the other person's day instead. Returns undefined if neither has any
 * such minutes.
 */
export function fairnessOf(search: AutoSearch, start: number, equals: readonly number[]): Fairness | undefined {
  const { requester, other } = search;
  const zones = [requester.timeZone, other.timeZone] as const;
  const before = carriedIn(search.pairMeetings ?? [], zones);
  const outside = (at: number) => carriedIn([{ start: at, end: at + search.durationMinutes * MINUTE }], zones);
  const own = outside(start);
  if (before.requester + before.other + own.requester + own.other === 0) return undefined;
  const carried = { [requester.email]: before.requester, [other.email]: before.other };
  const isTurn = (one: keyof Carried, two: keyof Carried) =>
    own[one] > 0 &&
    own[two] === 0 &&
    before[one] < before[two] &&
    equals.some((at) => isOpposite(outside(at), one, two));
  const turn = isTurn('requester', 'other') ? requester : isTurn('other', 'requester') ? other : undefined;
  const { now, pairMeetings = [] } = search;
  const byEmail = <T>(of: (timeZone: string) => T) =>
    Object.fromEntries([requester, other].map(({ email, timeZone }) => [email, of(timeZone)]));
  const sides = byEmail((timeZone) => sidesOf(pairMeetings, timeZone));
  const single = byEmail((timeZone) => {
    const [one, ...others] = pairMeetings.filter((meeting) => minutesOutside(timeZone, meeting) > 0);
    return one === undefined || others.length > 0 ? undefined : { isOver: one.start <= now };
  });
  return { carried, sides, single, isOneMeeting: pairMeetings.length === 1, turn: turn?.email };
}

const isOpposite = (carried: Carried, one: keyof Carried, two: keyof Carried) => carried[one] === 0 && carried[two] > 0;
