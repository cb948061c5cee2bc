import * as z from 'zod';
import { Attendees, address, Instant, LocalDate, searchedDuration, text, warnings, yesText } from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow, Slot } from './slot.ts';

export const DateRange = z.object(
  {
    start_date: LocalDate.optional().describe(
      "First date to search, YYYY-MM-DD in the requester's time zone. Defaults to today.",
    ),
    end_date: LocalDate.optional().describe(
      'Last date to search, inclusive, YYYY-MM-DD. A search covers at most 90 dates.',
    ),
  },
  'must be an object with `start_date`, `end_date` or both',
);
type DateRange = z.infer<typeof DateRange>;

/**
 * Converts a request's `date_range` from wire names to the field names of `lib`. Returns undefined if the request has
 * none.
 */
export const toDateRange = ({ date_range: range }: { date_range?: DateRange | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };

/** Error codes that any operation that reads calendars to find times can return. */
export const SEARCH_ERRORS: readonly ErrorCode[] = [
  'user_not_found',
  'calendar_reconnect_required',
  'unknown_time_zone',
  'calendar_unavailable',
  'calendar_refused',
];

/** Schema of the query string of a search. It parses the text of `fresh` into a boolean. */
const Freshness = z.object({ fresh: yesText });
/**
 * The `fresh` parameter in the form in which the OpenAPI document shows it: a boolean instead of the text that is
 * parsed.
 */
export const fresh = z.boolean().default(false).describe('True to read the calendars now instead of using a snapshot.');

const dateRange = DateRange.optional().describe(
  "Dates to search. Defaults to the requester's availability_window_days, starting today.",
);
const calendars = z.array(CalendarRead).describe('Time and source of each calendar read.');

export const AvailabilityRequest = z.object({
  attendees: Attendees,
  duration_minutes: searchedDuration,
  date_range: dateRange,
  context: text(1_000).optional().describe('Free text about the meeting. Tandem uses it only to suggest a title.'),
});

const Holiday = z.object({
  date: LocalDate.describe("Date of the holiday on that person's calendar, YYYY-MM-DD."),
  name: z.string().describe('Name of the holiday, in English where it has an English name.'),
});

const Relaxation = z.object({
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
    .describe('Change that would open times.'),
  email: z
    .string()
    .nullable()
    .describe('Email address of the person who set the rule. Null if no person set the rule.'),
  opens: z.int().describe('Number of start times the change would open.'),
  duration_minutes: z.int().optional().describe('Duration in minutes that would fit. Only with shorter_duration.'),
  end_date: LocalDate.optional().describe('Last date the search would cover. Only with more_days.'),
  max_meetings_per_day: z
    .int()
    .optional()
    .describe('Daily limit that would be enough. Only with one_more_meeting_a_day.'),
  focus_block: z
    .object({
      day: z.string().describe('Weekday of the block.'),
      start: z.string().describe('Start of the block, HH:MM.'),
      end: z.string().describe('End of the block, HH:MM.'),
    })
    .optional()
    .describe('Focus block to remove. Only with without_focus_block.'),
  words: z
    .string()
    .optional()
    .describe("The person's own words that make the rule. Only if `change` is `without_rule`."),
  holiday: Holiday.optional().describe('Public holiday to work on. Only with work_on_holiday.'),
  start: z.string().optional().describe('Start of the longer work hours, HH:MM. Only with longer_hours.'),
  end: z.string().optional().describe('End of the longer work hours, HH:MM. Only with longer_hours.'),
});

export const AvailabilityAnswer = z.object({
  slots: z.array(Slot).max(5).describe('Free times, best first. At most 5.'),
  total_found: z.int().max(5).describe('Number of slots in this response.'),
  search_window: SearchWindow,
  message: z.string().optional().describe('Reason why there are no slots. Only if slots is empty.'),
  relaxations: z
    .array(Relaxation)
    .max(5)
    .optional()
    .describe('Single changes that would open times, most times first. Only if slots is empty.'),
  suggested_title: z.string().optional().describe('Title suggested from the context. Only if you sent a context.'),
  calendars,
  warnings,
});

export const findAvailability = operation({
  method: 'post',
  path: '/v1/availability',
  id: 'findAvailability',
  key: 'platform',
  changesNothing: true,
  summary: 'Find times when two people are both free',
  description:
    "Dates and slots are in the requester's time zone. Without `date_range`, the search covers the requester's `availability_window_days`, starting today.",
  query: Freshness,
  shown: { fresh },
  body: AvailabilityRequest,
  answer: {
    is: 'Returns up to 5 slots, best first. An empty list is not an error: `message` gives the reason.',
    schema: AvailabilityAnswer,
  },
  errors: SEARCH_ERRORS,
});

export const ExplainRequest = z.object({
  attendees: Attendees,
  start_time: Instant.describe('Start time to explain, ISO 8601 with an offset or Z.'),
  duration_minutes: searchedDuration,
  date_range: dateRange,
});

export const ExplainAnswer = z.object({
  offered: z.boolean().describe('True if a search would return exactly this slot.'),
  free: z.boolean().describe('True if both people are free at the time.'),
  against: z
    .array(
      z.object({
        email: z
          .string()
          .nullable()
          .describe('Email address of the person who set the rule. Null if no person set the rule.'),
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
          .describe('Rule that excludes the time.'),
        detail: z.string().describe('The rule explained in one sentence.'),
        holiday: Holiday.optional().describe('Public holiday of that person. Only with the rule holiday.'),
        words: z.string().optional().describe("The person's own words. Only with the rule standing_rule."),
      }),
    )
    .describe('Rules that exclude the time. Empty if the time is free.'),
  rank: z
    .int()
    .optional()
    .describe('Rank of the time among all free start times in the search. 1 is the best. Only if the time is free.'),
  candidates: z.int().optional().describe('Number of free start times in the search. Only if the time is free.'),
  passed_over: z
    .enum(['overlaps_an_offered_slot', 'better_slots_first', 'equal_slots_first'])
    .optional()
    .describe('Reason why a free time is not offered.'),
  slot: Slot.optional().describe('The time as a search would return it. Only if the time is free.'),
  own_rules: z
    .array(
      z.object({
        email: address,
        verdict: z
          .enum(['rather_not', 'prefer'])
          .describe('`rather_not`: equal times come first. `prefer`: this time does.'),
        words: z.string().describe("The person's own words that make the rule."),
      }),
    )
    .optional()
    .describe("Rules in a person's own words that order this time among equals. Only if the time is free."),
  comfort_factors: z
    .array(
      z.object({
        name: z
          .enum([
            'start_of_day',
            'end_of_day',
            'next_to_a_meeting',
            'free_stretch',
            'half_day',
            'short_notice',
            'lead_time',
          ])
          .describe('Name of the part.'),
        email: z
          .string()
          .nullable()
          .describe('Email address of the person whose day the part is about. Null if the part is about both people.'),
        multiplier: z
          .number()
          .describe(
            "Number from 0 to 1 by which this part multiplies the slot's `comfort`. 1 changes nothing, so such parts are left out.",
          ),
      }),
    )
    .optional()
    .describe("Parts that multiply to the slot's `comfort`. Only if the time is free."),
  search_window: SearchWindow,
  calendars,
  warnings,
});

export const explainAvailability = operation({
  method: 'post',
  path: '/v1/availability/explain',
  id: 'explainAvailability',
  key: 'platform',
  changesNothing: true,
  summary: 'Explain why a time is or is not offered',
  description:
    'Returns whether a search would offer the time and how the time ranks. If rules exclude the time, returns those rules and who set them.',
  query: Freshness,
  shown: { fresh },
  body: ExplainRequest,
  answer: { is: "Returns the rules that exclude the time, or the time's rank and slot.", schema: ExplainAnswer },
  errors: SEARCH_ERRORS,
});

export const operations = [findAvailability, explainAvailability];
