import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { StoredPreferences, StoredWeights } from '../../schema/users/table.ts';
import { reconnectRequired, unknownTimeZone, userNotFound } from '../errors.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import {
  DEFAULT_BUFFER_MINUTES,
  DEFAULT_ENERGY_PATTERN,
  DEFAULT_MAX_MEETINGS_PER_DAY,
  DEFAULT_WEIGHTS,
  DEFAULT_WORK_HOURS,
} from '../scheduling/defaults.ts';
import { type DayPart, dayPartAt } from '../scheduling/moment.ts';
import type { Preferences } from '../scheduling/preferences.ts';
import type { LearnedWeights, Person, WorkHours } from '../scheduling/types.ts';
import { DEFAULT_WINDOW_DAYS } from '../scheduling/window.ts';
import { isTimeZone } from '../scheduling/zone.ts';

/** The two people in the order they were named; throws `user_not_found` or `calendar_reconnect_required`. */
export function bothConnected(emails: [string, string], people: ConnectedPerson[]): [ConnectedPerson, ConnectedPerson] {
  return [connected(emails[0], people), connected(emails[1], people)];
}

/** The one of these people who has this address; throws like `bothConnected`, with the field that named them. */
export function connected(email: string, people: ConnectedPerson[], field = 'attendees'): ConnectedPerson {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email, field);
  if (person.status !== 'connected') throw reconnectRequired(email, field);
  return person;
}

/** A person's preferences whole: what they did not set has its default, the zone that of their calendar. */
export function wholePreferences(user: { preferences: StoredPreferences; calendarTimeZone: string }) {
  const set = user.preferences;
  return {
    workHours: workHoursOf(set),
    timeZone: set.timezone ?? user.calendarTimeZone,
    bufferMinutes: set.buffer_minutes ?? DEFAULT_BUFFER_MINUTES,
    availabilityWindowDays: set.availability_window_days ?? DEFAULT_WINDOW_DAYS,
    maxMeetingsPerDay: set.max_meetings_per_day ?? DEFAULT_MAX_MEETINGS_PER_DAY,
    energyPattern: set.energy_pattern ?? DEFAULT_ENERGY_PATTERN,
    schedulingContext: set.scheduling_context ?? '',
    focusBlocks: set.focus_blocks ?? [],
  };
}

/** Work hours whole: a day that was not set has its default, and so have the times of a day off that has none. */
export function workHoursOf({ work_hours: days = {} }: StoredPreferences): WorkHours {
  const whole = { ...DEFAULT_WORK_HOURS };
  for (const day of WEEKDAYS) whole[day] = { ...whole[day], ...days[day] };
  return whole;
}

/** The part of each person's own day in which an instant lies, by UTC where their zone is one that nobody knows. */
export function dayPartsAt(people: [Zoned, Zoned], instant: number): [DayPart, DayPart] {
  const partFor = (person: Zoned) => {
    const { timeZone } = wholePreferences(person);
    return dayPartAt(isTimeZone(timeZone) ? timeZone : 'UTC', instant);
  };
  return [partFor(people[0]), partFor(people[1])];
}

/** Whose clock can be read. */
export type Zoned = Pick<ConnectedPerson, 'preferences' | 'calendarTimeZone'>;

/** A stored person as the engine reads one, without busy times; throws `unknown_time_zone` for a zone nobody knows. */
export function personRules(person: ConnectedPerson): Omit<Person, 'busy' | 'meetings'> {
  const { timeZone, workHours, focusBlocks, bufferMinutes, maxMeetingsPerDay } = wholePreferences(person);
  if (!isTimeZone(timeZone)) throw unknownTimeZone(person.email);
  return { email: person.email, timeZone, workHours, focusBlocks, bufferMinutes, maxMeetingsPerDay };
}

/** What a stored person likes, as the engine reads it; what nobody set or taught has its default. */
export function preferencesOf(person: Pick<ConnectedPerson, 'preferences' | 'weights'>): Preferences {
  return {
    energyPattern: person.preferences.energy_pattern ?? DEFAULT_ENERGY_PATTERN,
    weights: weightsOf(person.weights),
  };
}

/** Stored weights whole: a missing one is 1. */
export function weightsOf(stored: StoredWeights): LearnedWeights {
  return {
    timeOfDay: { ...DEFAULT_WEIGHTS.timeOfDay, ...stored.time_of_day_preference },
    dayOfWeek: { ...DEFAULT_WEIGHTS.dayOfWeek, ...stored.day_of_week_preference },
    bufferImportance: stored.buffer_importance ?? DEFAULT_WEIGHTS.bufferImportance,
  };
}
