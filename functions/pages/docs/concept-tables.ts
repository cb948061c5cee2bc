import { CONTEXTS } from '../../../lib/engine/rank/contexts.ts';
import type { RuleName } from '../../../lib/engine/rank/score.ts';
import { DAY_MINUTES } from '../../../lib/engine/time/dates.ts';

export const written = (minutes: number) =>
  minutes % DAY_MINUTES === 0
    ? `${minutes / DAY_MINUTES} day`
    : minutes % 60 === 0
      ? `${minutes / 60} hours`
      : `${minutes} minutes`;

export const BY_NOTICE = new Map(
  [...Map.groupBy(Object.entries(CONTEXTS), ([, { notice }]) => notice)]
    .sort(([one], [other]) => one - other)
    .map(([notice, contexts]) => [notice, contexts.map(([name]) => name)]),
);

/** Conditions under which each rule of the ranking applies. */
export const RANKED: Record<RuleName, string> = {
  timezone_fairness:
    'The rule timezone_fairness applies if the meeting begins before 8:00 or ends after 18:00 for either person.',
  mid_morning:
    'The rule mid_morning applies if the meeting starts from 10:00 to before 11:00 for the requester, who is the first attendee.',
  friday_afternoon:
    'The rule friday_afternoon applies if the meeting starts on a Friday from 14:00 on for either person.',
  lunch_hour: 'The rule lunch_hour applies if the meeting overlaps the time from 12:00 to 13:00 for either person.',
  recency: 'The rule recency applies if the meeting starts at most 3 days from now.',
};

/**
 * The published formula of comfort. Each row has the name of a part, its value, and the meetings to which that value
 * applies.
 */
export const COMFORT = [
  [
    'start_of_day',
    '0.5 + 0.5 × m ÷ 30',
    "The value start_of_day applies if the meeting starts m minutes after the person's work hours begin, and m is below 30.",
  ],
  [
    'start_of_day',
    '0.4 + 0.6 × m ÷ 60',
    "On a Monday, start_of_day has this value instead: it applies if the meeting starts m minutes after the person's work hours begin, and m is below 60.",
  ],
  [
    'end_of_day',
    '0.5 + 0.5 × m ÷ 60',
    "The value end_of_day applies if the meeting ends m minutes before the person's work hours end, and m is below 60.",
  ],
  [
    'end_of_day',
    '0.4 + 0.6 × m ÷ 60',
    "On a Friday, end_of_day has this value instead: it applies if the meeting ends m minutes before the person's work hours end, and m is below 60.",
  ],
  [
    'next_to_a_meeting',
    '0.6',
    'The value next_to_a_meeting is 0.6 if another meeting or a focus block is less than 10 minutes away, either before or after the meeting.',
  ],
  [
    'next_to_a_meeting',
    '0.4',
    'The value next_to_a_meeting is 0.4 if other meetings or focus blocks are less than 10 minutes away, both before and after the meeting.',
  ],
  [
    'free_stretch',
    '0.9 + 0.1 × m ÷ 120',
    'The value free_stretch applies if the longest free time that the meeting leaves the person on that date is m minutes, and m is below 120.',
  ],
  ['half_day', '0.5', 'The value half_day is 0.5 if the meeting starts on 24 or 31 December before noon.'],
  ['half_day', '0.25', 'The value half_day is 0.25 if the meeting starts on 24 or 31 December at noon or later.'],
  [
    'half_day',
    '0.7',
    'The value half_day is 0.7 if the meeting is on 27 to 30 December, or between a public holiday and days off.',
  ],
  [
    'short_notice',
    '0.25',
    'The value short_notice is 0.25 if the meeting starts less than 2 hours from now. It counts once for both people together.',
  ],
  [
    'short_notice',
    '0.5',
    'The value short_notice is 0.5 if the meeting starts within the next 24 hours, it is night for a person now, and less than 2 hours of their next working day lie before the meeting. It counts once for both people together.',
  ],
  [
    'lead_time',
    '1 − 0.03 × w',
    'The value lead_time applies to every meeting: the meeting starts w weeks from now. The value is at least 0.5. It counts once for both people together.',
  ],
] as const;
