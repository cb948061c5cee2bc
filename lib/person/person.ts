import type { StoredRule } from '../../schema/access/learning.ts';
import { listConnectedPeople, type PersonRow } from '../../schema/access/people.ts';
import type { PreferencesChange } from '../../schema/access/users.ts';
import type { StoredPreferences } from '../../schema/api/preferences.ts';
import type { StoredWeights } from '../../schema/tables/users.ts';
import type { Preferences } from '../engine/rank/auto-factors.ts';
import type { MeetingContext } from '../engine/rank/contexts.ts';
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
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { reconnectRequired, unknownTimeZone, userNotFound } from '../kit/errors.ts';
import { standingOf } from './standing.ts';

type StoredPerson = Omit<PersonRow, 'zoneReadAt'>;
type Account = Omit<StoredPerson, 'preferences' | 'weights' | 'rules' | 'calendarTimeZone'>;

/** Preferences and learned weights include the defaults. */
export interface Person extends Account {
  /** True for a person who is not connected to the platform that asks, and whose calendar is never read. */
  isGuest: boolean;
  /** True for a guest who was given the requester's time zone, because nobody knows the guest's. */
  isClockUnknown?: boolean;
  /** Undefined if a guest gave none, or if the runtime does not know the zone set or the calendar's. */
  timeZone: string | undefined;
  rules: Pick<
    SearchedPerson,
    'workHours' | 'focusBlocks' | 'standing' | 'energyPattern' | 'bufferMinutes' | 'maxMeetingsPerDay' | 'holidays'
  >;
  /** The person's own rules, of which some may be for some kinds of meeting alone. */
  ownRules: StoredRule[];
  availabilityWindowDays: number;
  preferences: Preferences;
}

/** Two people, the requester first. */
export type Pair<P = Person> = [requester: P, other: P];

export type PersonInZone = Person & { timeZone: string };

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
    ownRules: rules,
    availabilityWindowDays,
    preferences: { energyPattern, weights: wholeWeights(weights) },
  };
}

export const rulesFor = (
  { rules, ownRules }: Pick<Person, 'rules' | 'ownRules'>,
  context: MeetingContext | undefined,
) => (context === undefined || ownRules.length === 0 ? rules : { ...rules, ...standingOf(ownRules, rules, context) });

/** Throws `unknown_time_zone` unless the zone is known. */
export function inKnownZone(person: Person): PersonInZone {
  const { timeZone } = person;
  if (timeZone === undefined) throw unknownTimeZone(person.email);
  return { ...person, timeZone };
}

/** Throws `unknown_time_zone`, but a guest without a zone gets the requester's, on whose clock all times are told. */
export function bothInKnownZones([first, other]: Pair): Pair<PersonInZone> {
  const requester = inKnownZone(first);
  const { timeZone } = requester;
  return [
    requester,
    other.isGuest && other.timeZone === undefined ? { ...other, timeZone, isClockUnknown: true } : inKnownZone(other),
  ];
}

type Zoned = { timeZone: string | undefined; isGuest?: boolean };

/** Uses UTC for a person whose zone is unknown, and the requester's zone for such a guest. */
export const dayPartsAt = ([requester, other]: Pair<Zoned>, instant: number): [DayPart, DayPart] => [
  dayPartAt(requester.timeZone ?? 'UTC', instant),
  dayPartAt((other.isGuest ? (other.timeZone ?? requester.timeZone) : other.timeZone) ?? 'UTC', instant),
];

/** The default zone is that of the calendar, and the default holidays are those of the zone's country. */
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

/** As a language model reads them: "monday 09:00-17:00, tuesday 09:00-13:00". */
export const workHoursText = (hours: WorkHours, given: PreferencesChange['work_hours'] = {}): string =>
  WEEKDAYS.flatMap((day) => {
    const { enabled, start, end } = { ...hours[day], ...given[day] };
    return enabled ? `${day} ${start}-${end}` : [];
  }).join(', ');

export type WholePreferences = ReturnType<typeof wholePreferences>;

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

/** Throws `user_not_found` or `calendar_reconnect_required`, which name `field`, the request field of the address. */
export function requireConnected(email: string, people: Person[], field = 'attendees'): Person {
  const person = people.find((candidate) => candidate.email === email);
  if (person === undefined || person.status === 'disconnected') throw userNotFound(email, field);
  if (person.status !== 'connected') throw reconnectRequired(email, field);
  return person;
}

/** Keeps the addresses' order. Throws `user_not_found` or `calendar_reconnect_required`. */
export const requireBothConnected = (emails: [string, string], people: Person[]): Pair => [
  requireConnected(emails[0], people),
  requireConnected(emails[1], people),
];

export async function loadConnected(ctx: Ctx, platform: PlatformRef, emails: string[]): Promise<Person[]> {
  const rows = await listConnectedPeople(ctx.db, { platformId: platform.id, emails });
  return rows.map(toPerson);
}

/** Keeps the addresses' order. Throws `user_not_found` or `calendar_reconnect_required` if one is not connected. */
export const loadBothConnected = async (ctx: Ctx, platform: PlatformRef, emails: [string, string]): Promise<Pair> =>
  requireBothConnected(emails, await loadConnected(ctx, platform, emails));
