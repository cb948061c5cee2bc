import { DAY } from './dates.ts';
import type { Moment, WallTime } from './moment.ts';
import type { Factor } from './types.ts';

export type RuleName = 'timezone_fairness' | 'mid_morning' | 'friday_afternoon' | 'lunch_hour' | 'recency';

/** A row of the interface's ranking table. */
export interface Rule extends Factor {
  name: RuleName;
  holds: (moment: Moment) => boolean;
}

const FRIDAY = 4;
const hour = (hours: number) => hours * 60;

const fairness: Rule = {
  name: 'timezone_fairness',
  multiplier: 0.5,
  holds: ({ requester, other }) => isOutsideDay(requester) || isOutsideDay(other),
};

export const midMorning: Rule = {
  name: 'mid_morning',
  multiplier: 1.2,
  holds: ({ requester }) => requester.startMinute >= hour(10) && requester.startMinute < hour(11),
};

export const fridayAfternoon: Rule = {
  name: 'friday_afternoon',
  multiplier: 0.7,
  holds: ({ requester }) => requester.weekday === FRIDAY && requester.startMinute >= hour(14),
};

const lunch: Rule = {
  name: 'lunch_hour',
  multiplier: 0.8,
  holds: ({ requester }) => overlapsLunch(requester),
};

export const recency: Rule = {
  name: 'recency',
  multiplier: 1.1,
  holds: ({ start, now }) => start - now <= 3 * DAY,
};

/** The ranking table of the interface, row by row. */
export const ranking: readonly Rule[] = [fairness, midMorning, fridayAfternoon, lunch, recency];

/** The product of every factor that holds. */
export function scoreOf(moment: Moment): number {
  let product = 1;
  for (const rule of ranking) if (rule.holds(moment)) product *= rule.multiplier;
  return product;
}

/** The rows that hold, in the table's order. */
export function rulesOf(moment: Moment): Rule[] {
  return ranking.filter((rule) => rule.holds(moment));
}

/** A product as the wire's score: at most 1, four places. */
export function toScore(product: number): number {
  return fourPlaces(Math.min(1, product));
}

/** Rounded as the wire has products and scores. */
export function fourPlaces(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** At which end a meeting leaves the day from 08:00 to 18:00, if it does. */
export function outsideDay(wall: WallTime): 'early' | 'late' | undefined {
  if (!isOutsideDay(wall)) return undefined;
  return wall.startMinute < hour(8) ? 'early' : 'late';
}

function isOutsideDay(wall: WallTime): boolean {
  return wall.startMinute < hour(8) || wall.endDay !== wall.day || wall.endMinute > hour(18);
}

/** Whether the meeting takes any of 12:00 to 13:00. */
export function overlapsLunch(wall: WallTime): boolean {
  const startsBeforeItEnds = wall.startMinute < hour(13);
  const endsAfterItBegan = wall.endMinute > hour(12);
  if (wall.endDay > wall.day) return startsBeforeItEnds || endsAfterItBegan;
  return wall.endDay === wall.day && startsBeforeItEnds && endsAfterItBegan;
}
