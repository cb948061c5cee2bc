import { DAY } from './dates.ts';
import type { Moment, WallTime } from './moment.ts';
import type { Factor } from './types.ts';

/** A factor with the words a slot's reason says it in. */
export interface ReasonedFactor extends Factor {
  reason: string;
}

/** A row of the interface's ranking table. */
export interface Rule extends ReasonedFactor {
  holds: (moment: Moment) => boolean;
}

const FRIDAY = 4;
const hour = (hours: number) => hours * 60;

const fairness: Rule = {
  name: 'timezone_fairness',
  multiplier: 0.5,
  reason: 'outside 8am-6pm for one of you',
  holds: ({ requester, other }) => isOutsideDay(requester) || isOutsideDay(other),
};

const midMorning: Rule = {
  name: 'mid_morning',
  multiplier: 1.2,
  reason: 'mid-morning',
  holds: ({ requester }) => requester.startMinute >= hour(10) && requester.startMinute < hour(11),
};

const fridayAfternoon: Rule = {
  name: 'friday_afternoon',
  multiplier: 0.7,
  reason: 'Friday afternoon',
  holds: ({ requester }) => requester.weekday === FRIDAY && requester.startMinute >= hour(14),
};

const lunch: Rule = {
  name: 'lunch_hour',
  multiplier: 0.8,
  reason: 'over lunch',
  holds: ({ requester }) => overlapsLunch(requester),
};

const recency: Rule = {
  name: 'recency',
  multiplier: 1.1,
  reason: 'within 3 days',
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
  return Math.round(Math.min(1, product) * 10_000) / 10_000;
}

function isOutsideDay(wall: WallTime): boolean {
  return wall.startMinute < hour(8) || wall.endDay !== wall.day || wall.endMinute > hour(18);
}

function overlapsLunch(wall: WallTime): boolean {
  const startsBeforeItEnds = wall.startMinute < hour(13);
  const endsAfterItBegan = wall.endMinute > hour(12);
  if (wall.endDay > wall.day) return startsBeforeItEnds || endsAfterItBegan;
  return wall.endDay === wall.day && startsBeforeItEnds && endsAfterItBegan;
}
