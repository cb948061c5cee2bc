import type { ConnectedPerson } from '../../schema/people/queries.ts';
import { DEFAULT_BUFFER_MINUTES, DEFAULT_MAX_MEETINGS_PER_DAY, DEFAULT_WORK_HOURS } from '../scheduling/defaults.ts';
import type { FocusBlock, Person } from '../scheduling/types.ts';

/** A stored person as the engine reads one, without busy times; what they did not set has its default. */
export function rulesOf(person: ConnectedPerson): Omit<Person, 'busy' | 'meetings'> {
  const set = person.preferences;
  return {
    email: person.email,
    timeZone: set.timezone ?? person.calendarTimeZone,
    workHours: { ...DEFAULT_WORK_HOURS, ...set.work_hours },
    focusBlocks: (set.focus_blocks ?? []) as FocusBlock[],
    bufferMinutes: set.buffer_minutes ?? DEFAULT_BUFFER_MINUTES,
    maxMeetingsPerDay: set.max_meetings_per_day ?? DEFAULT_MAX_MEETINGS_PER_DAY,
  };
}
