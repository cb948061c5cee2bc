import type { Limits, OtherMeeting } from '../../../schema/meetings/holds.ts';
import { assertWithinHorizon } from '../../availability/search-window.ts';
import { ANY_NUMBER } from '../../engine/move/own-settings.ts';
import { daysFullElsewhere, fullDays } from '../../engine/rules/free-time.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { covers, inOrder, overlaps } from '../../engine/time/intervals.ts';
import { daysAround, wallInstants } from '../../engine/time/wall-instants.ts';
import { workWeek } from '../../engine/time/week.ts';
import { localDay, startOfDay } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import { AppError } from '../../kit/errors.ts';
import type { Pair, Person, PersonInZone } from '../../person/person.ts';
import { DayFull, SlotTaken } from '../protocol/operation.ts';

/**
 * The daily limit counts meetings on the person's own date, to which one that moves within the date of `from`, its old
 * start, adds none. The limits of the person `aside` give way.
 */
export const limitsAt = (
  people: Pair<PersonInZone>,
  start: number,
  { aside, from }: { aside?: string | undefined; from?: number | undefined } = {},
): [Limits, Limits] => {
  const [requester, other] = withoutLimits(people, aside);
  return [personLimits(requester, start, from), personLimits(other, start, from)];
};

/** One person's own words ask for the time, so their limits do not count. */
export const withoutLimits = <P extends Person>([requester, other]: Pair<P>, aside?: string): [P, P] => {
  const open = (one: P): P =>
    one.email === aside ? { ...one, rules: { ...one.rules, bufferMinutes: 0, maxMeetingsPerDay: ANY_NUMBER } } : one;
  return [open(requester), open(other)];
};

/** Returns a refusal: others may have filled a day since, which looks like an all-day event with a buffer. */
export function refusalOfDay(
  people: Pair,
  { start, end }: Interval,
  others: OtherMeeting[],
  movesFrom?: number,
): SlotTaken | undefined {
  for (const { id, timeZone, rules, isGuest } of people) {
    if (timeZone === undefined || isGuest) continue;
    const counting = { timeZone, ...rules, movesFrom, meetings: others.filter(({ userId }) => userId === id) };
    if (fullDays(counting).has(localDay(timeZone, start))) return new DayFull();
    const buffer = rules.bufferMinutes * MINUTE;
    const reach = { start: start - buffer, end: end + buffer };
    if (overlaps(inOrder(daysFullElsewhere(counting)), reach)) return new SlotTaken();
  }
  return undefined;
}

export const isInHours = ({ timeZone, rules }: PersonInZone, time: Interval): boolean =>
  covers(wallInstants(timeZone, daysAround(time), workWeek(rules.workHours)), time);

function personLimits({ timeZone, rules }: PersonInZone, start: number, from: number | undefined): Limits {
  const { bufferMinutes } = rules;
  const day = localDay(timeZone, start);
  const isSameDay = from !== undefined && localDay(timeZone, from) === day;
  const maxMeetingsPerDay = isSameDay ? ANY_NUMBER : rules.maxMeetingsPerDay;
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}

/** The caller's clock may be wrong. */
export const nowIs = (now: number) => `The time on our server is ${new Date(now).toISOString().replace(/\.\d+/, '')}.`;

/** Throws `invalid_time`, naming `field`, for a start that is not ahead or is more than 400 days ahead. */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  if (start <= now) throw new AppError('invalid_time', `\`${field}\` must be in the future. ${nowIs(now)}`, { field });
  assertWithinHorizon(start, now, field);
}
