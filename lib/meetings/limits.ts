import type { Limits } from '../../schema/holds/queries.ts';
import { localDay, startOfDay } from '../engine/time/zone.ts';
import type { Pair, PersonInZone } from '../person/person.ts';

/**
 * Returns each person's buffer and daily limit for a meeting that starts at `start`, in epoch milliseconds. The daily
 * limit counts meetings on the date that the person's own clock shows.
 */
export const limitsAt = ([requester, other]: Pair<PersonInZone>, start: number): [Limits, Limits] => [
  personLimits(requester, start),
  personLimits(other, start),
];

function personLimits({ timeZone, rules }: PersonInZone, start: number): Limits {
  const { bufferMinutes, maxMeetingsPerDay } = rules;
  const day = localDay(timeZone, start);
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}
