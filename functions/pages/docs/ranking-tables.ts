import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import { type RuleName, ranking } from '../../../lib/engine/rank/score.ts';
import { DAY_MINUTES } from '../../../lib/engine/time/dates.ts';
import { tableOf } from './table.ts';
import { coded } from './values.ts';

const written = (minutes: number) =>
  minutes % DAY_MINUTES === 0
    ? `${minutes / DAY_MINUTES} day`
    : minutes % 60 === 0
      ? `${minutes / 60} hours`
      : `${minutes} minutes`;

/** How much notice people get of a meeting that Tandem places, by the meeting's context. */
export const CONTEXTS_BY_NOTICE = tableOf(
  ['At least', 'For a `context` of'],
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [written(notice), coded(contexts.map(([name]) => name))]),
);

const APPLIES: Record<RuleName, string> = {
  mid_morning: 'starts 10:00–10:59 for the requester',
  recency: 'starts within 3 days',
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

/** The published formula of comfort, of which `lib/engine/rank/comfort.ts` has the numbers. */
export const COMFORT = tableOf(
  ['Part', 'Value', 'When the meeting'],
  [
    ['`start_of_day`', '0.5 + 0.5 × m ÷ 30', 'starts m minutes after their work hours begin, m below 30'],
    ['', '0.4 + 0.6 × m ÷ 60', 'the same on a Monday, m below 60'],
    ['`end_of_day`', '0.5 + 0.5 × m ÷ 60', 'ends m minutes before their work hours end, m below 60'],
    ['', '0.4 + 0.6 × m ÷ 60', 'the same on a Friday'],
    ['`next_to_a_meeting`', '0.6', 'has another meeting or a focus block within 10 minutes before or after'],
    ['', '0.4', 'has them on both sides'],
    ['`free_stretch`', '0.9 + 0.1 × m ÷ 120', 'leaves them m minutes as the longest free time that day, m below 120'],
    ['`half_day`', '0.5', 'starts before noon on 24 or 31 December'],
    ['', '0.25', 'starts at noon or later on 24 or 31 December'],
    ['', '0.7', 'is on 27 to 30 December, or between a public holiday and days off'],
    ['`short_notice`', '0.25', 'starts less than 2 hours from now; once for both'],
    [
      '',
      '0.5',
      'starts within 24 hours while it is night for one of them, with less than 2 hours of their next working day before it; once for both',
    ],
    ['`lead_time`', '1 − 0.03 × w', 'starts w weeks from now, 0.5 at least; once for both'],
  ],
);
