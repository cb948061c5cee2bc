import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import { COMMON_PARTS, PERSON_PARTS, SPREAD } from '../../../lib/engine/rank/parts.ts';
import { type RuleName, ranking } from '../../../lib/engine/rank/score.ts';
import { DAY_MINUTES } from '../../../lib/engine/time/dates.ts';
import { tableOf } from './table.ts';
import { coded } from './values.ts';

function written(minutes: number): string {
  if (minutes % DAY_MINUTES === 0) return `${minutes / DAY_MINUTES} day`;
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

/** How much notice people get of a meeting that Tandem places, by the meeting's context. */
export const CONTEXTS_BY_NOTICE = tableOf(
  ['At least', 'For a `context` of'],
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [written(notice), coded(contexts.map(([name]) => name))]),
);

const APPLIES: Record<RuleName, string> = {
  mid_morning: 'starts 10:00–10:59 for the requester',
  recency: 'starts within 72 hours',
  lunch_hour: 'overlaps 12:00–13:00 for either',
  friday_afternoon: 'starts on Friday at 14:00 or later for either',
  timezone_fairness: 'begins before 8:00 or ends after 18:00 for either',
};

/** The factors of the ranking, those that raise a time first. */
export const FACTORS = tableOf(
  ['Factor', '×', 'When the meeting'],
  ranking
    .toSorted((one, other) => other.multiplier - one.multiplier)
    .map(({ name, multiplier }) => [`\`${name}\``, multiplier, APPLIES[name]]),
);

/** The parts of merit, as `lib/engine/rank/parts.ts` has them: for each person, then those that count once for both. */
export const PARTS = tableOf(
  ['Part', '×', 'When the meeting'],
  [
    ...PERSON_PARTS.map(({ name, number, when }) => [`\`${name}\``, number, when] as const),
    ...Object.entries(COMMON_PARTS).map(([name, { number, when }]) => [`\`${name}\``, number, when] as const),
  ].map((row) => [...row]),
);

/** Lists the parts that keep the times of one answer apart. */
export const SPREADS = tableOf(
  ['Spread', '×', 'When the meeting'],
  Object.entries(SPREAD).map(([name, { number, when }]) => [name.replaceAll('_', ' '), number, when]),
);
