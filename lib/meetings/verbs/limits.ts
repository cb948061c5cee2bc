import type { Limits, OtherMeeting } from '../../../schema/meetings/holds.ts';
import { ANY_NUMBER } from '../../engine/move/own-settings.ts';
import { daysFullElsewhere, fullDays } from '../../engine/rules/free-time.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { covers, inOrder, overlaps } from '../../engine/time/intervals.ts';
import { daysAround, wallInstants } from '../../engine/time/wall-instants.ts';
import { workWeek } from '../../engine/time/week.ts';
import { localDay, startOfDay } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import type { Pair, Person, PersonInZone } from '../../person/person.ts';
import { DayFull, SlotTaken } from '../protocol/operation.ts';

/** The daily limit counts meetings on the person's own date. The limits of the person `aside` give way. */
export const limitsAt = (people: Pair<PersonInZone>, start: number, aside?: string): [Limits, Limits] => {
  const [requester, other] = withoutLimits(people, aside);
  return [personLimits(requester, start), personLimits(other, start)];
};

/** One person's own words ask for the time, so their limits do not count. */
export const withoutLimits = <P extends Person>([requester, other]: Pair<P>, aside?: string): [P, P] => {
  const open = (one: P): P =>
    one.email === aside ? { ...one, rules: { ...one.rules, bufferMinutes: 0, maxMeetingsPerDay: ANY_NUMBER } } : one;
  return [open(requester), open(other)];
};

/**
 * Throws `DayFull`: while the proposal was open, meetings of other platforms could fill a person's day. A day that these
 * fill looks like an all-day event to the platform, so `SlotTaken` is thrown within the person's buffer of it.
 */
export function assertRoomOnDay(people: Pair, { start, end }: Interval, others: OtherMeeting[]): void {
  for (const { id, timeZone, rules, isGuest } of people) {
    if (timeZone === undefined || isGuest) continue;
    const counting = { timeZone, ...rules, meetings: others.filter(({ userId }) => userId === id) };
    const elsewhere = inOrder(daysFullElsewhere(counting));
    if (fullDays(counting).has(localDay(timeZone, start)) || overlaps(elsewhere, { start, end: start + 1 }))
      throw new DayFull();
    const buffer = rules.bufferMinutes * MINUTE;
    if (overlaps(elsewhere, { start: start - buffer, end: end + buffer })) throw new SlotTaken();
  }
}

export const isInHours = ({ timeZone, rules }: PersonInZone, time: Interval): boolean =>
  covers(wallInstants(timeZone, daysAround(time), workWeek(rules.workHours)), time);

function personLimits({ timeZone, rules }: PersonInZone, start: number): Limits {
  const { bufferMinutes, maxMeetingsPerDay } = rules;
  const day = localDay(timeZone, start);
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}
