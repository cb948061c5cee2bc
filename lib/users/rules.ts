import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { unknownTimeZone } from '../errors.ts';
import { DEFAULT_BUFFER_MINUTES, DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../scheduling/defaults.ts';
import type { FocusBlock, Person } from '../scheduling/types.ts';
import { isTimeZone } from '../scheduling/zone.ts';

/**
 * A stored person as the engine reads one, without busy times; what they did not set has its default. Throws
 * `unknown_time_zone` for a zone the provider named and nobody knows.
 */
export function rulesOf(person: ConnectedPerson): Omit<Person, 'busy' | 'meetings'> {
  const set = person.preferences;
  return {
    email: person.email,
    timeZone: knownZone(person.email, set.timezone ?? person.calendarTimeZone),
    workHours: { ...DEFAULT_WORK_HOURS, ...set.work_hours },
    focusBlocks: (set.focus_blocks ?? []) as FocusBlock[],
    bufferMinutes: set.buffer_minutes ?? DEFAULT_BUFFER_MINUTES,
    maxMeetingsPerDay: set.max_meetings_per_day ?? DEFAULT_MAX_MEETINGS_PER_DAY,
  };
}

function knownZone(email: string, timeZone: string): string {
  if (!isTimeZone(timeZone)) throw unknownTimeZone(email);
  return timeZone;
}
