import { busyInstants } from '../rules/free-time.ts';
import { DAY, MINUTE, WEEKDAYS } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { DAY_PARTS, type DayPart, dayPartOf, type Moment, type WallTime, weekdayOf } from '../time/moment.ts';
import type { EnergyPattern, Interval, LearnedWeights, Search, SearchedPerson } from '../types.ts';
import { contextRow, type MeetingContext } from './contexts.ts';
import { bitsOf, bitsOn, fridayAfternoon, midMorning, type Rule, type RuleName, ranking, recency } from './score.ts';
import { isHalfDay } from './surroundings.ts';

export interface Preferences {
  energyPattern: EnergyPattern;
  weights: LearnedWeights;
}

export const ENERGY: Record<EnergyPattern, Record<DayPart, number>> = {
  flexible: { morning: 1, afternoon: 1, evening: 1 },
  morning_person: { morning: 1.2, afternoon: 0.9, evening: 0.7 },
  afternoon_person: { morning: 0.9, afternoon: 1.2, evening: 0.9 },
  evening_person: { morning: 0.7, afternoon: 0.9, evening: 1.2 },
};

export interface AutoSearch extends Search {
  context?: MeetingContext | undefined;
  requesterPreferences: Preferences;
  otherPreferences: Preferences;
  /** The past and coming meetings of these two. Fairness counts each one's minutes in them outside 08:00-18:00. */
  pairMeetings?: readonly Interval[] | undefined;
}

/** `email` names the person whose preference it is, and is null for nobody's. */
export interface AutoFactor {
  name:
    | RuleName
    | 'meeting_context'
    | 'soon'
    | 'half_day'
    | 'energy_pattern'
    | 'time_of_day_preference'
    | 'day_of_week_preference'
    | 'buffer_importance';
  email: string | null;
  of: (moment: Moment) => number;
}

const BACK_TO_BACK_MINUTES = 15;
/** A time's product is divided by 1 + weight × the days of waiting beyond the context's minimum notice. */
const WAIT = { first: 1, rather: 1 / 60, any: 0 };
/** Multiplier for a time on 24 or 31 December on either person's clock. Such a time is never a good match. */
const HALF_DAY = 0.5;

/** Mid-morning and context count as the geometric mean of both clocks (schema/DECISIONS.md, "Automatic scheduling"). */
export function autoFactors(search: AutoSearch): AutoFactor[] {
  const { requester, other, requesterPreferences, otherPreferences, durationMinutes, now } = search;
  const context = contextRow(search.context);
  const noticed = now + context.notice * MINUTE;
  return [
    ...ranking.map((rule) => ({ name: rule.name, email: null, of: ofRule(rule, noticed) })),
    { name: 'meeting_context', email: null, of: onBothClocks((wall) => context.prefers[dayPartOf(wall)]) },
    {
      name: 'soon',
      email: null,
      of: ({ start }) => 1 / (1 + (WAIT[context.soon] * Math.max(0, start - noticed)) / DAY),
    },
    {
      name: 'half_day',
      email: null,
      of: (moment) => (isHalfDay(moment.requester.day) || isHalfDay(moment.other.day) ? HALF_DAY : 1),
    },
    ...preferenceFactors(requester, requesterPreferences, ({ requester: wall }) => wall, durationMinutes),
    ...preferenceFactors(other, otherPreferences, ({ other: wall }) => wall, durationMinutes),
  ];
}

export function productAt(factors: readonly AutoFactor[], moment: Moment): number {
  let product = 1;
  for (const factor of factors) product *= factor.of(moment);
  return product;
}

/** Ignores calendars, hours and zones, and assumes a time within three days, at mid-morning if it is a morning. */
export function bestProduct({ context, requesterPreferences, otherPreferences }: AutoSearch): number {
  const { prefers } = contextRow(context);
  const [own, theirs] = [timesOf(requesterPreferences, prefers), timesOf(otherPreferences, prefers)];
  const products = own.flatMap((a) =>
    theirs.map(
      (b) => a.product * b.product * (a.isFridayEvening || b.isFridayEvening ? fridayAfternoon.multiplier : 1),
    ),
  );
  return recency.multiplier * Math.max(...products);
}

function timesOf({ energyPattern, weights }: Preferences, prefers: Record<DayPart, number>) {
  return DAY_PARTS.flatMap((part) =>
    WEEKDAYS.map((weekday) => {
      const suits = Math.sqrt(prefers[part] * (part === 'morning' ? midMorning.multiplier : 1));
      const liked = ENERGY[energyPattern][part] * weights.timeOfDay[part] * weights.dayOfWeek[weekday];
      return { product: suits * liked, isFridayEvening: part === 'evening' && weekday === 'friday' };
    }),
  );
}

const onBothClocks =
  (of: (wall: WallTime) => number) =>
  ({ requester, other }: Moment) =>
    Math.sqrt(of(requester) * of(other));

/** The bonus for times that come soon counts only from `noticed` on, when the minimum notice ends. */
function ofRule({ name, multiplier, bit }: Rule, noticed: number): AutoFactor['of'] {
  if (name === 'mid_morning') return onBothClocks((wall) => (bitsOn(wall) & bit ? multiplier : 1));
  return (moment) => (bitsOf(moment) & bit && !(name === 'recency' && moment.start < noticed) ? multiplier : 1);
}

function preferenceFactors(
  person: SearchedPerson,
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
