import { MINUTE, WEEKDAYS } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import type { Moment, WallTime } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import type { Interval } from '../types.ts';
import type { AutoSearch } from './auto-factors.ts';
import type { Weighed } from './merit.ts';
import { COMMON_PARTS, type MeritPart, OVER_LUNCH } from './parts.ts';
import { bitsOn, lunch, outsideDay } from './score.ts';
import type { Around } from './surroundings.ts';

/** The number of days back in which two people's meetings with each other count for fairness. */
export const CARRIED_DAYS = 90;

type Carried = Record<'requester' | 'other', number>;

const OPENS = 8 * 60;
const CLOSES = 18 * 60;
const DAY_HOURS = WEEKDAYS.map(() => [OPENS, CLOSES]);

export function minutesOutside(timeZone: string, { start, end }: Interval): number {
  const inside = intersect([start, end], wallInstants(timeZone, daysAround({ start, end }), DAY_HOURS));
  let time = end - start;
  for (let i = 0; i < inside.length; i += 2) time -= edgeAt(inside, i + 1) - edgeAt(inside, i);
  return Math.round(time / MINUTE);
}

export function carriedIn(
  meetings: readonly Interval[],
  [requesterZone, otherZone]: readonly [string, string],
): Carried {
  const sum = (timeZone: string) => meetings.reduce((total, meeting) => total + minutesOutside(timeZone, meeting), 0);
  return { requester: sum(requesterZone), other: sum(otherZone) };
}

/** The parts that count only where Tandem chooses a time. */
export const chosenParts = (search: AutoSearch) => {
  const turn = turnOf(search);
  return (moment: Moment, [own, theirs]: readonly [Around, Around]): MeritPart[] => {
    const isOver = (wall: WallTime, around: Around) => (bitsOn(wall) & lunch.bit) > 0 && !around.showsLunch(wall.day);
    const isOverLunch = isOver(moment.requester, own) || isOver(moment.other, theirs);
    return [...turn(moment), ...(isOverLunch ? [OVER_LUNCH] : [])];
  };
};

/** Counts for a meeting outside the day of whoever has had more minutes outside it in the pair's meetings. */
function turnOf({ requester, other, pairMeetings = [] }: AutoSearch): (moment: Moment) => MeritPart[] {
  const before = carriedIn(pairMeetings, [requester.timeZone, other.timeZone]);
  if (before.requester === before.other) return () => [];
  const isRequester = before.requester > before.other;
  const { email } = isRequester ? requester : other;
  const part: MeritPart = { name: 'turn', email, value: COMMON_PARTS.turn.number };
  return (moment) => (outsideDay(isRequester ? moment.requester : moment.other) === undefined ? [] : [part]);
}

/** `carried` maps emails to minutes outside 08:00-18:00, in the pair's other meetings from 90 days ago on. */
export interface Fairness {
  carried: Record<string, number>;
  /** The email of the person whose turn it was to meet outside 08:00-18:00, if it was anybody's. */
  turn: string | undefined;
}

/**
 * It was a person's turn if a time outside the other's day was possible too. Returns undefined if neither has any
 * minutes outside.
 */
export function fairnessOf(search: AutoSearch, { starts, tiers }: Weighed, i: number): Fairness | undefined {
  const { requester, other, pairMeetings = [], durationMinutes } = search;
  const zones = [requester.timeZone, other.timeZone] as const;
  const before = carriedIn(pairMeetings, zones);
  const outside = (at: number) => carriedIn([{ start: at, end: at + durationMinutes * MINUTE }], zones);
  const own = outside(edgeAt(starts, i));
  if (before.requester + before.other + own.requester + own.other === 0) return undefined;
  const isTurn = (one: keyof Carried, two: keyof Carried) =>
    own[one] > 0 &&
    own[two] === 0 &&
    before[one] < before[two] &&
    starts.some((at, j) => tiers[j] === tiers[i] && isOpposite(outside(at), one, two));
  const turn = isTurn('requester', 'other') ? requester : isTurn('other', 'requester') ? other : undefined;
  return { carried: { [requester.email]: before.requester, [other.email]: before.other }, turn: turn?.email };
}

const isOpposite = (carried: Carried, one: keyof Carried, two: keyof Carried) => carried[one] === 0 && carried[two] > 0;
