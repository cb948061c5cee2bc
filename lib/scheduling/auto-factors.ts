import { contextRow, type MeetingContext } from './contexts.ts';
import { DAY, MINUTE, WEEKDAYS } from './dates.ts';
import { overlaps } from './intervals.ts';
import { DAY_PARTS, type DayPart, dayPartOf, type Moment, type WallTime, weekdayOf } from './moment.ts';
import { busyInstants } from './person-rules.ts';
import { ENERGY, type Preferences } from './preferences.ts';
import { fridayAfternoon, midMorning, overlapsLunch, type RuleName, ranking, recency } from './score.ts';
import type { Interval, Person, Search, Weekday } from './types.ts';

/** A search in which the service picks: what the meeting is, and what both people like. */
export interface AutoSearch extends Search {
  context?: MeetingContext | undefined;
  requesterPreferences: Preferences;
  otherPreferences: Preferences;
  /** The two's meetings with each other that count for who met outside their day. */
  pairMeetings?: readonly Interval[] | undefined;
}

/** One factor of a picked time's product, and whose preference it is, null when nobody's. */
export interface AutoFactor {
  name:
    | RuleName
    | 'other_lunch_hour'
    | 'meeting_context'
    | 'soon'
    | 'energy_pattern'
    | 'time_of_day_preference'
    | 'day_of_week_preference'
    | 'buffer_importance';
  email: string | null;
  of: (moment: Moment) => number;
}

const BACK_TO_BACK_MINUTES = 15;
const OTHER_LUNCH = 0.8;
/** By how much a day's wait divides the product where soon matters. */
const WAIT = { first: 1, rather: 1 / 60, any: 0 };

/**
 * What multiplies to a picked time's product: the ranking table, the other's lunch, the meeting's context and both people's
 * preferences (decisions, Scheduling).
 */
export function autoFactors(search: AutoSearch): AutoFactor[] {
  const { requester, other, requesterPreferences, otherPreferences, durationMinutes, now } = search;
  const context = contextRow(search.context);
  const noticed = now + context.notice * MINUTE;
  return [
    ...ranking.map(({ name, multiplier, holds }) => ({
      name,
      email: null,
      of: (moment: Moment) => (holds(moment) && !(name === 'recency' && moment.start < noticed) ? multiplier : 1),
    })),
    { name: 'other_lunch_hour', email: other.email, of: (moment) => (overlapsLunch(moment.other) ? OTHER_LUNCH : 1) },
    { name: 'meeting_context', email: null, of: (moment) => context.prefers[dayPartOf(moment.requester)] },
    {
      name: 'soon',
      email: null,
      of: ({ start }) => 1 / (1 + (WAIT[context.soon] * Math.max(0, start - noticed)) / DAY),
    },
    ...preferenceFactors(requester, requesterPreferences, ({ requester: wall }) => wall, durationMinutes),
    ...preferenceFactors(other, otherPreferences, ({ other: wall }) => wall, durationMinutes),
  ];
}

/** The product of all factors. */
export function productAt(factors: readonly AutoFactor[], moment: Moment): number {
  let product = 1;
  for (const factor of factors) product *= factor.of(moment);
  return product;
}

/**
 * The highest product that any time at all could have for this kind of meeting and these two, whatever their calendars,
 * hours and zones: within three days, and mid-morning where mornings are best.
 */
export function bestProduct({ context, requesterPreferences, otherPreferences }: AutoSearch): number {
  const { prefers } = contextRow(context);
  const requesterBest = bestOf(requesterPreferences, (part, weekday) => {
    if (part === 'morning') return prefers.morning * midMorning.multiplier;
    return part === 'evening' && weekday === 'friday' ? prefers.evening * fridayAfternoon.multiplier : prefers[part];
  });
  return recency.multiplier * requesterBest * bestOf(otherPreferences, () => 1);
}

function bestOf({ energyPattern, weights }: Preferences, times: (part: DayPart, weekday: Weekday) => number): number {
  const products = DAY_PARTS.flatMap((part) =>
    WEEKDAYS.map(
      (weekday) =>
        ENERGY[energyPattern][part] * weights.timeOfDay[part] * weights.dayOfWeek[weekday] * times(part, weekday),
    ),
  );
  return Math.max(...products);
}

function preferenceFactors(
  person: Person,
  { energyPattern, weights }: Preferences,
  wallOf: (moment: Moment) => WallTime,
  durationMinutes: number,
): AutoFactor[] {
  const { email } = person;
  const nearBusy = busyInstants(person, BACK_TO_BACK_MINUTES);
  const backToBack = Math.min(1, 1 / weights.bufferImportance);
  const isNear = (start: number) => overlaps(nearBusy, { start, end: start + durationMinutes * MINUTE });
  return [
    { name: 'energy_pattern', email, of: (moment) => ENERGY[energyPattern][dayPartOf(wallOf(moment))] },
    { name: 'time_of_day_preference', email, of: (moment) => weights.timeOfDay[dayPartOf(wallOf(moment))] },
    { name: 'day_of_week_preference', email, of: (moment) => weights.dayOfWeek[weekdayOf(wallOf(moment))] },
    { name: 'buffer_importance', email, of: ({ start }) => (backToBack < 1 && isNear(start) ? backToBack : 1) },
  ];
}
