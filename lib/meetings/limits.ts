import type { Limits } from '../../schema/holds/queries.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { localDay, startOfDay } from '../scheduling/zone.ts';
import { personRules } from '../users/person.ts';

/** What both people's rules ask of a meeting that starts then, each by their own clock; throws `unknown_time_zone`. */
export const limitsAt = ([one, other]: [ConnectedPerson, ConnectedPerson], start: number): [Limits, Limits] => [
  limitsOf(one, start),
  limitsOf(other, start),
];

function limitsOf(person: ConnectedPerson, start: number): Limits {
  const { timeZone, bufferMinutes, maxMeetingsPerDay } = personRules(person);
  const day = localDay(timeZone, start);
  const dayOfStart = { start: startOfDay(timeZone, day), end: startOfDay(timeZone, day + 1) };
  return { bufferMinutes, maxMeetingsPerDay, day: dayOfStart };
}
