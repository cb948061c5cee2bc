import { MINUTE, WEEKDAYS } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import type { Moment } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { formatInZone } from '../time/zone.ts';
import type { Interval } from '../types.ts';
import type { AutoSearch } from './auto-factors.ts';
import { COMMON_PARTS, type MeritPart } from './parts.ts';
import { outsideDay } from './score.ts';

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
 * Returns the part of merit that makes two people take turns: it counts for a meeting outside the day of whoever has had
 * more minutes outside it in their meetings with each other.
 */
export function turnOf({ requester, other, pairMeetings = [] }: AutoSearch): (moment: Moment) => MeritPart[] {
  const before = carriedIn(pairMeetings, [requester.timeZone, other.timeZone]);
  if (before.requester === before.other) return () => [];
  const isRequester = before.requester > before.other;
  const { email } = isRequester ? requester : other;
  const part: MeritPart = { name: 'turn', email, value: COMMON_PARTS.turn.number };
  return (moment) => (outsideDay(isRequester ? moment.requester : moment.other) === undefined ? [] : [part]);
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
