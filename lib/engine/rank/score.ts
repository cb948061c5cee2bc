import { DAY } from '../time/dates.ts';
import type { Moment, WallTime } from '../time/moment.ts';
import type { Factor } from '../types.ts';
import { fourPlaces } from './parts.ts';

export type RuleName = 'timezone_fairness' | 'mid_morning' | 'friday_afternoon' | 'lunch_hour' | 'recency';

/** A row of the ranking table: a named multiplier, and its bit in the numbers that tell which rows apply to a time. */
export interface Rule extends Factor {
  name: RuleName;
  bit: number;
}

const FRIDAY = 4;
const HOUR = 60;

const fairness: Rule = { name: 'timezone_fairness', multiplier: 0.5, bit: 1 };
export const midMorning: Rule = { name: 'mid_morning', multiplier: 1.2, bit: 2 };
export const fridayAfternoon: Rule = { name: 'friday_afternoon', multiplier: 0.7, bit: 4 };
export const lunch: Rule = { name: 'lunch_hour', multiplier: 0.8, bit: 8 };
export const recency: Rule = { name: 'recency', multiplier: 1.1, bit: 16 };

/** The ranking table of the API: five rules that each multiply a slot's score when they apply. */
export const ranking: readonly Rule[] = [fairness, midMorning, fridayAfternoon, lunch, recency];

export const scoreOf = (moment: Moment): number => productOf(bitsOf(moment));

/** Leaves out the bonus for times that come soon, which is no advantage near a requested time. */
export const timelessScoreOf = (moment: Moment): number => productOf(bitsOf(moment) & ~recency.bit);

/** The code names each rule instead of looping over the table. A search weighs thousands of times. */
function productOf(bits: number): number {
  let product = 1;
  if (bits & fairness.bit) product *= fairness.multiplier;
  if (bits & midMorning.bit) product *= midMorning.multiplier;
  if (bits & fridayAfternoon.bit) product *= fridayAfternoon.multiplier;
  if (bits & lunch.bit) product *= lunch.multiplier;
  if (bits & recency.bit) product *= recency.multiplier;
  return product;
}

export function rulesOf(moment: Moment): Rule[] {
  const bits = bitsOf(moment);
  return ranking.filter(({ bit }) => bits & bit);
}

/** Converts a product to the score in API answers: at most 1, rounded to four decimal places. */
export function toScore(product: number): number {
  return product >= 1 ? 1 : fourPlaces(product);
}

/** Undefined if the meeting lies between 08:00 and 18:00. */
export function outsideDay(wall: WallTime): 'early' | 'late' | undefined {
  if ((bitsOn(wall) & fairness.bit) === 0) return undefined;
  return wall.startMinute < 8 * HOUR ? 'early' : 'late';
}

/** Returns the bits of the rules that apply to a meeting time. Mid-morning counts on the requester's clock alone. */
export const bitsOf = ({ start, now, requester, other }: Moment): number =>
  bitsOn(requester) | (bitsOn(other) & ~midMorning.bit) | (start - now <= 3 * DAY ? recency.bit : 0);

export function bitsOn({ day, weekday, startMinute, endDay, endMinute }: WallTime): number {
  let bits = 0;
  if (startMinute < 8 * HOUR || endDay !== day || endMinute > 18 * HOUR) bits |= fairness.bit;
  if (startMinute >= 10 * HOUR && startMinute < 11 * HOUR) bits |= midMorning.bit;
  if (weekday === FRIDAY && startMinute >= 14 * HOUR) bits |= fridayAfternoon.bit;
  const [startsBefore, endsAfter] = [startMinute < 13 * HOUR, endMinute > 12 * HOUR];
  if (endDay > day ? startsBefore || endsAfter : endDay === day && startsBefore && endsAfter) bits |= lunch.bit;
  return bits;
}
