import * as z from 'zod';
import { Attendees, Instant, LocalDate, minutes, text, warnings, yesText } from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow, Slot } from './slot.ts';

export const DateRange = z.object(
  {
    start_date: LocalDate.optional().describe(
      'The first date to search, YYYY-MM-DD in the zone of the requester; today when left out',
    ),
    end_date: LocalDate.optional().describe('The last date to search, included, YYYY-MM-DD; at most 90 dates in all'),
  },
  'must be {start_date, end_date}, either alone is enough',
);
export type DateRange = z.infer<typeof DateRange>;

/** What a search of two calendars can be refused with. */
export const SEARCH_ERRORS: readonly ErrorCode[] = [
  'user_not_found',
  'calendar_reconnect_required',
  'unknown_time_zone',
  'calendar_unavailable',
  'calendar_refused',
];

/** The query of a search. */
const Freshness = z.object({ fresh: yesText });
/** The same in a caller's words. */
export const fresh = z.boolean().default(false).describe('Read the calendars now, whatever was read of them before');

const duration = minutes(15, 120).default(30).describe('How long the meeting is to be, 15 to 120 minutes');
const dateRange = DateRange.optional().describe(
  'Which dates to search; without it, as many from today as the requester has set',
);
const calendars = z.array(CalendarRead).describe('How fresh each calendar was');

export const AvailabilityRequest = z.object({
  attendees: Attendees,
  duration_minutes: duration,
  date_range: dateRange,
  context: text(1_000)
    .optional()
    .describe('Free text on what the meeting is about; a title is made of it and nothing else'),
});

const Relaxation = z.object({
  change: z
    .enum(['shorter_duration', 'more_days', 'no_buffer', 'one_more_meeting_a_day', 'without_focus_block', 'weekends'])
    .describe('What would have to be changed'),
  email: z.string().nullable().describe("Whose rule it is; null when it is the search's own"),
  opens: z.int().describe('How many starts it would open'),
  duration_minutes: z.int().optional().describe('Only with shorter_duration: the minutes that would do'),
  end_date: LocalDate.optional().describe('Only with more_days: the last date that would be searched'),
  max_meetings_per_day: z.int().optional().describe('Only with one_more_meeting_a_day: the limit that would do'),
  focus_block: z
    .object({
      day: z.string().describe('The weekday of the block'),
      start: z.string().describe('When the block starts, HH:MM'),
      end: z.string().describe('When the block ends, HH:MM'),
    })
    .optional()
    .describe('Only with without_focus_block: the block that would have to go'),
});

export const AvailabilityAnswer = z.object({
  slots: z.array(Slot).max(5).describe('At most 5 free times, best first'),
  total_found: z.int().max(5).describe('How many slots there are in the answer'),
  search_window: SearchWindow,
  message: z.string().optional().describe('Why there are no slots'),
  relaxations: z
    .array(Relaxation)
    .max(5)
    .optional()
    .describe('Only without slots: each single change that would open times, most first'),
  suggested_title: z.string().optional().describe('Only with a context: a title made of it'),
  calendars,
  warnings,
});

export const findAvailability = operation({
  method: 'post',
  path: '/v1/availability',
  id: 'findAvailability',
  key: 'platform',
  changesNothing: true,
  summary: 'Find mutual free slots of two people',
  description:
    "Dates and slots are in the requester's zone. Without date_range the search covers the requester's availability_window_days from today.",
  query: Freshness,
  shown: { fresh },
  body: AvailabilityRequest,
  answer: {
    is: 'At most 5 slots, best first; an empty list is no error and comes with a message.',
    schema: AvailabilityAnswer,
  },
  errors: SEARCH_ERRORS,
});

export const ExplainRequest = z.object({
  attendees: Attendees,
  start_time: Instant.describe('The time to explain, ISO 8601 with an offset or Z'),
  duration_minutes: duration,
  date_range: dateRange,
});

export const ExplainAnswer = z.object({
  offered: z.boolean().describe('Whether a search would answer this very slot'),
  free: z.boolean().describe('Whether both could meet then'),
  against: z
    .array(
      z.object({
        email: z.string().nullable().describe("Whose rule it is; null when it is the search's own"),
        rule: z
          .enum(['quarter_hour', 'notice', 'window', 'work_hours', 'focus_block', 'day_limit', 'busy', 'buffer'])
          .describe('Which rule stands against the time'),
        detail: z.string().describe('The same in a sentence'),
      }),
    )
    .describe('What stands against the time; empty when it is free'),
  rank: z.int().optional().describe('1 for the best of the candidates; only when free, as are the fields below'),
  candidates: z.int().optional().describe('How many free starts the search has'),
  passed_over: z
    .enum(['overlaps_an_offered_slot', 'better_slots_first', 'equal_slots_first'])
    .optional()
    .describe('Why a free time is not offered'),
  slot: Slot.optional().describe('The time as a search would answer it'),
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
  summary: 'Say what the search makes of one time',
  description: 'Whether the time would be offered and how it ranks, or whose rules stand against it.',
  query: Freshness,
  shown: { fresh },
  body: ExplainRequest,
  answer: { is: 'The rules against the time, or its rank and slot.', schema: ExplainAnswer },
  errors: SEARCH_ERRORS,
});

export const operations = [findAvailability, explainAvailability];
