import * as z from 'zod';
import { answer, docs } from '#docs';
import * as f from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { platformOperation } from './operation.ts';
import { readingOfWhen, timesAsked } from './reading.ts';
import { CalendarRead, SearchWindow, Slot } from './slot.ts';

export const DateRange = z.object(
  {
    start_date: f.LocalDate.optional().describe(
      docs("First date to search, YYYY-MM-DD in the requester's time zone. Defaults to today."),
    ),
    end_date: f.LocalDate.optional().describe(
      docs('Last date to search, inclusive, YYYY-MM-DD. A search covers at most 90 dates.'),
    ),
  },
  'must be an object with `start_date`, `end_date` or both',
);
type DateRange = z.infer<typeof DateRange>;

export const toDateRange = ({ date_range: range }: { date_range?: DateRange | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };

export const searchWarnings = f.warnings.describe(
  docs(
    'Sentences for your log: one for each field of the body that Tandem does not know and so ignored, and one that quotes the words in `when` that had no effect. Absent if there are none.',
  ),
);

const CALENDAR_ERRORS = ['calendar_reconnect_required', 'calendar_unavailable', 'calendar_refused'] as const;
export const CHANGE_ERRORS: readonly ErrorCode[] = ['meeting_not_found', 'meeting_busy', ...CALENDAR_ERRORS];
export const SEARCH_ERRORS: readonly ErrorCode[] = ['user_not_found', ...CALENDAR_ERRORS, 'unknown_time_zone'];

const Freshness = z.object({ fresh: f.yesText });
/** The OpenAPI document shows a boolean instead of the text that is parsed. */
export const fresh = z
  .boolean()
  .default(false)
  .describe(docs('True to read the calendars now instead of using the busy times that Tandem stored.'));

const dateRange = DateRange.optional().describe(
  docs(
    "Dates to search. By default, the search starts today and covers the number of days in the requester's preference `availability_window_days`.",
  ),
);
const ofReads = answer(() => ({
  calendars: f.arrayOf(
    CalendarRead,
    'For each calendar that Tandem read, the time of the reading and the source of the busy times.',
  ),
  ...readingOfWhen.shape,
  warnings: searchWarnings,
}));

export const AvailabilityRequest = z.object({
  attendees: f.Attendees,
  duration_minutes: f.searchedDuration,
  date_range: dateRange,
  ...timesAsked,
  context: f
    .text(1_000)
    .optional()
    .describe(docs('Free text about the meeting. Tandem uses the text only to suggest a title for the meeting.')),
});

const Holiday = z.object({
  date: f.LocalDate.describe(docs("Date of the public holiday in the person's country or region, YYYY-MM-DD.")),
  name: z.string().describe(docs('Name of the public holiday, in English if it has an English name.')),
});

export const Relaxation = answer(() => ({
  change: z
    .enum([
      'shorter_duration',
      'more_days',
      'no_buffer',
      'one_more_meeting_a_day',
      'without_focus_block',
      'without_rule',
      'work_on_holiday',
      'longer_hours',
      'weekends',
    ])
    .describe("Change to a person's rule or to the search that would open free times."),
  email: f.stringOrNull('Email address of the person who set the rule. Null if no person set the rule.'),
  opens: z.int().describe('Number of free start times that the change would open.'),
  duration_minutes: f.intOrAbsent(
    'Length in minutes of a shorter meeting that would fit. Present only if `change` is `shorter_duration`.',
  ),
  end_date: f.LocalDate.optional().describe(
    'Last date that the longer search would cover. Present only if `change` is `more_days`.',
  ),
  max_meetings_per_day: f.intOrAbsent(
    'Number of meetings per day that the person would have to accept. Present only if `change` is `one_more_meeting_a_day`.',
  ),
  focus_block: f.optionalOf(
    z.object({
      day: z.string().describe('Weekday of the focus block.'),
      start: z.string().describe('Start of the focus block, HH:MM.'),
      end: z.string().describe('End of the focus block, HH:MM.'),
    }),
    'Focus block (a weekly time kept free of meetings) that the person would have to give up. Present only if `change` is `without_focus_block`.',
  ),
  words: f.stringOrAbsent(
    'Words with which the person stated the rule. Present only in a search, if `change` is `without_rule`.',
  ),
  holiday: Holiday.optional().describe(
    'Public holiday on which the person would have to work. Present only if `change` is `work_on_holiday`.',
  ),
  start: f.stringOrAbsent(
    'Start of the longer work hours that would open times, HH:MM. Present only if `change` is `longer_hours`.',
  ),
  end: f.stringOrAbsent(
    'End of the longer work hours that would open times, HH:MM. Present only if `change` is `longer_hours`.',
  ),
}));

export const AvailabilityAnswer = answer(() => ({
  slots: z.array(Slot).max(5).describe('Slots, which are free times for both people, best first. At most 5.'),
  total_found: z.int().max(5).describe('Number of slots in this response.'),
  search_window: SearchWindow,
  message: f.stringOrAbsent('Reason why the search found no free times. Present only if `slots` is empty.'),
  relaxations: f.optionalOf(
    z.array(Relaxation).max(5),
    "Relaxations: changes to one person's rules or to the search. Each of these changes alone would open free times, and the change that opens the most times comes first. Present only if `slots` is empty.",
  ),
  suggested_title: f.stringOrAbsent(
    'Title for the meeting, suggested from the `context` of the request. Present only if you sent a `context`.',
  ),
  ...ofReads.shape,
}));

export const findAvailability = platformOperation('post /v1/availability', {
  changesNothing: true,
  summary: docs('Find times when two people are both free'),
  description: docs(
    "Dates and slots (free times) are in the time zone of the requester, who is the first attendee. Without `date_range`, the search starts today and covers the number of days in the requester's preference `availability_window_days`.",
  ),
  query: Freshness,
  shown: { fresh },
  body: AvailabilityRequest,
  answer: {
    is: docs(
      'Returns up to 5 slots, best first. An empty list of slots is not an error: `message` says why no time was found.',
    ),
    schema: AvailabilityAnswer,
  },
  errors: SEARCH_ERRORS,
});

export const ExplainRequest = z.object({
  attendees: f.Attendees,
  start_time: f.Instant.describe(docs('Start time to explain, ISO 8601 with an offset or Z.')),
  duration_minutes: f.searchedDuration,
  date_range: dateRange,
  ...timesAsked,
});

export const ExplainAnswer = answer(() => ({
  offered: z.boolean().describe('True if a search would return the explained time as one of its slots.'),
  free: z.boolean().describe('True if both people are free at the explained time.'),
  against: f.arrayOf(
    z.object({
      email: f.stringOrNull('Email address of the person who set the rule. Null if no person set the rule.'),
      rule: z
        .enum([
          'quarter_hour',
          'notice',
          'window',
          'work_hours',
          'holiday',
          'focus_block',
          'standing_rule',
          'day_limit',
          'busy',
          'held',
          'buffer',
        ])
        .describe('Rule that excludes the explained time from a search.'),
      detail: z.string().describe('Sentence that explains how the rule excludes the time.'),
      holiday: Holiday.optional().describe(
        'Public holiday that the person has off. Present only if `rule` is `holiday`.',
      ),
      words: f.stringOrAbsent(
        'Words with which the person stated the rule. Present only if `rule` is `standing_rule`.',
      ),
    }),
    'Rules that exclude the explained time from a search. Empty if the explained time is free.',
  ),
  rank: f.intOrAbsent(
    'Rank of the explained time among all free start times of the search. Rank 1 is the best. Present only if the time is free.',
  ),
  candidates: f.intOrAbsent('Number of free start times that the search found. Present only if the time is free.'),
  passed_over: z
    .enum(['overlaps_an_offered_slot', 'better_slots_first', 'equal_slots_first'])
    .optional()
    .describe('Reason why a search would not offer the explained time although both people are free.'),
  slot: f.optionalOf(Slot, 'The explained time as a search would return it. Present only if the time is free.'),
  own_rules: f.optionalOf(
    z.array(
      z.object({
        email: f.address,
        verdict: f.oneOf(
          ['rather_not', 'prefer'],
          '`rather_not`: the person would rather avoid the time, which lowers the `merit` of the time. `prefer`: the person prefers the time, and other times have less `merit`.',
        ),
        words: z.string().describe('Words with which the person stated the rule.'),
      }),
    ),
    'Wishes that people wrote in their own words and that concern the explained time. Present only if the time is free.',
  ),
  comfort_factors: f.optionalOf(
    z.array(
      z.object({
        name: z
          .enum([
            'start_of_day',
            'first_hour',
            'second_hour',
            'end_of_day',
            'last_hour',
            'next_to_a_meeting',
            'between_meetings',
            'free_stretch',
            'busy_day',
            'full_day',
            'outside_day',
            'far_outside_day',
            'half_day',
            'half_day_afternoon',
            'quiet_day',
            'beside_days_off',
            'rather_not',
            'near_preferred',
            'not_preferred',
            'not_best_hours',
            'short_notice',
            'after_the_night',
            'turn',
            'over_lunch',
            'lead_time',
            'met_that_day',
            'nearness',
          ])
          .describe('Name of the part, as in the table of the docs page Ranking.'),
        email: f.stringOrNull(
          'Email address of the person whose day the part is about. Null if the part is about both people.',
        ),
        multiplier: f.numberOf(
          "Number from 0 to 1 by which the part multiplies the slot's `comfort`. A part of 1 changes nothing and is left out.",
        ),
      }),
    ),
    "Numbers that, multiplied together, give the slot's `comfort`. Multiplied with `factors`, they give its `merit`. Present only if the time is free.",
  ),
  search_window: SearchWindow,
  ...ofReads.shape,
}));

export const explainAvailability = platformOperation('post /v1/availability/explain', {
  changesNothing: true,
  summary: docs('Explain why a time is or is not offered'),
  description: docs(
    'Returns whether a search would offer the given time, and how the given time ranks. If rules exclude the given time, the response lists the rules and the people who set these rules.',
  ),
  query: Freshness,
  shown: { fresh },
  body: ExplainRequest,
  answer: {
    is: docs('Returns the rules that exclude the given time, or its rank and its slot.'),
    schema: ExplainAnswer,
  },
  errors: SEARCH_ERRORS,
});

export const operations = { findAvailability, explainAvailability };
