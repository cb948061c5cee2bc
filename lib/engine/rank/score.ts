import { DAY } from '../time/dates.ts';
import type { Moment, WallTime } from '../time/moment.ts';
import type { Factor } from '../types.ts';
import { fourPlaces } from './parts.ts';

export type RuleName = 'timezone_fairness' | 'mid_morning' | 'friday_afternoon' | 'lunch_hour' | 'recency';

/** A row of the ranking table: a named multiplier, and a test that says if it applies to a meeting time. */
export interface Rule extends Factor {
  name: RuleName;
  holds: (moment: Moment) => boolean;
}

const FRIDAY = 4;
const HOUR = 60;

const fairness: Rule = {
  name: 'timezone_fairness',
  multiplier: 0.5,
  holds: ({ requester, other }) => isOutsideDay(requester) || isOutsideDay(other),
};

export const midMorning: Rule = {
  name: 'mid_morning',
  multiplier: 1.2,
  holds: ({ requester }) => isMidMorning(requester),
};

export const fridayAfternoon: Rule = {
  name: 'friday_afternoon',
  multiplier: 0.7,
  holds: ({ requester, other }) => isFridayAfternoon(requester) || isFridayAfternoon(other),
};

const lunch: Rule = {
  name: 'lunch_hour',
  multiplier: 0.8,
  holds: ({ requester, other }) => overlapsLunch(requester) || overlapsLunch(other),
};

export const recency: Rule = {
  name: 'recency',
  multiplier: 1.1,
  holds: ({ start, now }) => start - now <= 3 * DAY,
};

/** The ranking table of the API: five rules that each multiply a slot's score when they apply. */
export const ranking: readonly Rule[] = [fairness, midMorning, fridayAfternoon, lunch, recency];

/** Returns the product of the multipliers of the ranking rules that apply to a meeting time. */
export function scoreOf(moment: Moment): number {
  const product = timelessScoreOf(moment);
  return recency.holds(moment) ? product * recency.multiplier : product;
}

/**
 * Returns a time's ranking product without the bonus for times that come soon. It ranks times near a requested time,
 * where coming soon is no advantage. The code names each rule instead of looping over the table. A search weighs
 * thousands of times, and the loop takes twice as long.
 */
export function timelessScoreOf(moment: Moment): number {
  let product = 1;
  if (fairness.holds(moment)) product *= fairness.multiplier;
  if (midMorning.holds(moment)) product *= midMorning.multiplier;
  if (fridayAfternoon.holds(moment)) product *= fridayAfternoon.multiplier;
  if (lunch.holds(moment)) product *= lunch.multiplier;
  return product;
}

/** Returns the ranking rules that apply to a meeting time, in the table's order. */
export function rulesOf(moment: Moment): Rule[] {
  return ranking.filter((rule) => rule.holds(moment));
}

/** Converts a product to the score in API answers: at most 1, rounded to four decimal places. */
export function toScore(product: number): number {
  return product >= 1 ? 1 : fourPlaces(product);
}

/**
 * Returns `early` if a meeting starts before 08:00, `late` if it ends after 18:00, and undefined if it lies between
 * them.
 */
export function outsideDay(wall: WallTime): 'early' | 'late' | undefined {
  if (!isOutsideDay(wall)) return undefined;
  return wall.startMinute < 8 * HOUR ? 'early' : 'late';
}

function isOutsideDay(wall: WallTime): boolean {
  return wall.startMinute < 8 * HOUR || wall.endDay !== wall.day || wall.endMinute > 18 * HOUR;
}

/** Returns true if the meeting starts on a Friday at or after 14:00 on this clock. */
export function isFridayAfternoon({ weekday, startMinute }: WallTime): boolean {
  return weekday === FRIDAY && startMinute >= 14 * HOUR;
}

/** Returns true if the meeting starts from 10:00 until before 11:00 on this clock. */
export function isMidMorning({ startMinute }: WallTime): boolean {
  return startMinute >= 10 * HOUR && startMinute < 11 * HOUR;
}

/** Returns true if any part of the meeting lies between 12:00 and 13:00 on this clock. */
export function overlapsLunch(wall: WallTime): boolean {
  const startsBeforeItEnds = wall.startMinute < 13 * HOUR;
  const endsAfterItBegan = wall.endMinute > 12 * HOUR;
  if (wall.endDay > wall.day) return startsBeforeItEnds || endsAfterItBegan;
  return wall.endDay === wall.day && startsBeforeItEnds && endsAfterItBegan;
}
