import type { Limits, OtherMeeting } from '../../schema/holds/queries.ts';
import { fullDays } from '../engine/rules/free-time.ts';
import { covers } from '../engine/time/intervals.ts';
import { daysAround, wallInstants } from '../engine/time/wall-instants.ts';
import { workWeek } from '../engine/time/week.ts';
import { localDay, startOfDay } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import type { Pair, PersonInZone } from '../person/person.ts';
import { DayFull } from './operation.ts';

/**
 * Returns each person's buffer and daily limit for a meeting that starts at `start`, in epoch milliseconds. The daily
 * limit counts meetings on the date that the person's own clock shows.
 */
export const limitsAt = ([requester, other]: Pair<PersonInZone>, start: number): [Limits, Limits] => [
  personLimits(requester, start),
  personLimits(other, start),
];

/**
 * Throws `DayFull` if one of the two people has as many other meetings as they accept on the date on which a proposal's
 * accepted time starts. While the proposal was open, meetings of other platforms could fill the day.
 */
export function assertRoomOnDay(people: Pair, start: number, others: OtherMeeting[]): void {
  const isFull = people.some(({ id, timeZone, rules, isGuest }) => {
    if (timeZone === undefined || isGuest) return false;
    const meetings = others.filter(({ userId }) => userId === id);
    return fullDays({ timeZone, ...rules, meetings }).has(localDay(timeZone, start));
  });
  if (isFull) throw new DayFull();
}

/** Returns true if a person's work hours contain the whole time. */
export const isInHours = ({ timeZone, rules }: PersonInZone, time: Interval): boolean =>
  covers(wallInstants(timeZone, daysAround(time), workWeek(rules.workHours)), time);

function personLimits({ timeZone, rules }: PersonInZone, start: number): Limits {
  const { bufferMinutes, maxMeetingsPerDay } = rules;
  const day = localDay(timeZone, start);
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}
