import type { PersonRow } from '../../schema/access/people.ts';
import type { StoredPreferences, StoredWeights } from '../../schema/tables/users.ts';
import type { Preferences } from '../engine/rank/preferences.ts';
import {
  DEFAULT_BUFFER_MINUTES,
  DEFAULT_ENERGY_PATTERN,
  DEFAULT_MAX_MEETINGS_PER_DAY,
  DEFAULT_WEIGHTS,
  DEFAULT_WINDOW_DAYS,
  DEFAULT_WORK_HOURS,
} from '../engine/rules/defaults.ts';
import { holidayPlaceOf, holidaysIn } from '../engine/rules/holiday-table.ts';
import { WEEKDAYS } from '../engine/time/dates.ts';
import { type DayPart, dayPartAt } from '../engine/time/moment.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { LearnedWeights, SearchedPerson, WorkHours } from '../engine/types.ts';
import { unknownTimeZone } from '../kit/errors.ts';
import { standingOf } from './standing.ts';

type StoredPerson = Omit<PersonRow, 'zoneReadAt'>;
type Account = Omit<StoredPerson, 'preferences' | 'weights' | 'rules' | 'calendarTimeZone'>;

/**
 * A person as loaded from the database: their calendar account, and the preferences and learned weights for the search
 * engine, defaults included.
 */
export interface Person extends Account {
  /** True for a person who is not connected to the platform that asks, and whose calendar is never read. */
  isGuest: boolean;
  /** True for a guest who was given the requester's time zone, because nobody knows the guest's. */
  isClockUnknown?: boolean;
  /**
   * IANA time zone of the person. Undefined if a guest gave none, or if the runtime does not know the zone that the
   * person set or that their calendar names.
   */
  timeZone: string | undefined;
  rules: Pick<
    SearchedPerson,
    'workHours' | 'focusBlocks' | 'standing' | 'energyPattern' | 'bufferMinutes' | 'maxMeetingsPerDay' | 'holidays'
  >;
  availabilityWindowDays: number;
  preferences: Preferences;
}

/** Two people, the requester first. */
export type Pair<P = Person> = [requester: P, other: P];

/** A person whose time zone is known. */
export type PersonInZone = Person & { timeZone: string };

/**
 * Converts a person's database row to the form in which searches and bookings use it, with defaults for preferences
 * that are not set.
 */
export function toPerson({ preferences, weights, rules, calendarTimeZone, ...account }: StoredPerson): Person {
  const whole = wholePreferences({ preferences, calendarTimeZone });
  const { workHours, focusBlocks, availabilityWindowDays, energyPattern } = whole;
  const { standing, ...limits } = standingOf(rules, whole);
  const holidays = holidaysIn(whole.holidays);
  return {
    ...account,
    isGuest: false,
    timeZone: knownZone(whole.timeZone),
    rules: { workHours, focusBlocks, standing, energyPattern, ...limits, holidays },
    availabilityWindowDays,
    preferences: { energyPattern, weights: wholeWeights(weights) },
  };
}

/** Returns the person if their time zone is known, and throws `unknown_time_zone` otherwise. */
export function inKnownZone(person: Person): PersonInZone {
  const { timeZone } = person;
  if (timeZone === undefined) throw unknownTimeZone(person.email);
  return { ...person, timeZone };
}

/**
 * Returns both people if their time zones are known, and throws `unknown_time_zone` otherwise. A guest whose zone is
 * unknown gets the requester's, so that all times are told on the requester's clock.
 */
export function bothInKnownZones([first, other]: Pair): Pair<PersonInZone> {
  const requester = inKnownZone(first);
  const { timeZone } = requester;
  return [
    requester,
    other.isGuest && other.timeZone === undefined ? { ...other, timeZone, isClockUnknown: true } : inKnownZone(other),
  ];
}

interface Zoned {
  timeZone: string | undefined;
  isGuest?: boolean;
}

/**
 * Returns the part of the day, such as morning, in which an instant lies on each person's own clock. If a person's time
 * zone is unknown, UTC is used, and for a guest the requester's zone.
 */
export const dayPartsAt = ([requester, other]: Pair<Zoned>, instant: number): [DayPart, DayPart] => [
  dayPartAt(requester.timeZone ?? 'UTC', instant),
  dayPartAt((other.isGuest ? (other.timeZone ?? requester.timeZone) : other.timeZone) ?? 'UTC', instant),
];

/**
 * Returns a person's preferences, with defaults for those the person did not set. The default time zone is that of
 * their calendar, and the default holidays are those of the zone's country.
 */
export function wholePreferences(user: { preferences: StoredPreferences; calendarTimeZone: string }) {
  const set = user.preferences;
  const timeZone = set.timezone ?? user.calendarTimeZone;
  return {
    workHours: wholeWorkHours(set),
    timeZone,
    holidays: set.holidays ?? holidayPlaceOf(timeZone),
    bufferMinutes: set.buffer_minutes ?? DEFAULT_BUFFER_MINUTES,
    availabilityWindowDays: set.availability_window_days ?? DEFAULT_WINDOW_DAYS,
    maxMeetingsPerDay: set.max_meetings_per_day ?? DEFAULT_MAX_MEETINGS_PER_DAY,
    energyPattern: set.energy_pattern ?? DEFAULT_ENERGY_PATTERN,
    schedulingContext: set.scheduling_context ?? '',
    focusBlocks: set.focus_blocks ?? [],
  };
}

export type WholePreferences = ReturnType<typeof wholePreferences>;

/**
 * Returns the person's work hours for each weekday. A day that they did not set gets its default, and so do the missing
 * times of a day off.
 */
function wholeWorkHours({ work_hours: days = {} }: StoredPreferences): WorkHours {
  const whole = { ...DEFAULT_WORK_HOURS };
  for (const day of WEEKDAYS) whole[day] = { ...whole[day], ...days[day] };
  return whole;
}

/** Returns a person's learned preference weights. A weight that nothing was learned for is 1. */
export function wholeWeights(stored: StoredWeights): LearnedWeights {
  return {
    timeOfDay: { ...DEFAULT_WEIGHTS.timeOfDay, ...stored.time_of_day_preference },
    dayOfWeek: { ...DEFAULT_WEIGHTS.dayOfWeek, ...stored.day_of_week_preference },
    bufferImportance: stored.buffer_importance ?? DEFAULT_WEIGHTS.bufferImportance,
  };
}
