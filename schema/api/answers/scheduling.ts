import * as z from 'zod';
import { eventData } from '../events.ts';

const instant = z.string().describe('ISO 8601 in UTC');
const localTime = z.string().describe('ISO 8601 with the offset of the zone beside it');
const localDate = z.iso.date();

/** A free time, scored (`interface.md`, TimeSlot). */
export const Slot = z.object({
  start_time: localTime,
  end_time: localTime,
  score: z.number().min(0).max(1),
  timezone: z.string().describe("The requester's IANA zone"),
  reason: z.string(),
  factors: z
    .array(z.object({ name: z.string(), multiplier: z.number() }))
    .describe('What the score is made of; the product, capped at 1, is the score'),
  attendees: z.array(z.object({ email: z.string(), start_time: localTime, timezone: z.string() })),
});

export const SearchWindow = z.object({ start: localDate, end: localDate, days: z.int() });

/** How fresh a calendar was when it was read. */
export const CalendarRead = z.object({ email: z.string(), read_at: instant, source: z.string() });

export const AvailabilityAnswer = z.object({
  slots: z.array(Slot).max(5),
  total_found: z.int().max(5),
  search_window: SearchWindow,
  message: z.string().optional().describe('Only without slots'),
  suggested_title: z.string().optional().describe('Only with a context'),
  calendars: z.array(CalendarRead),
});

export const ExplainAnswer = z.object({
  offered: z.boolean(),
  free: z.boolean(),
  against: z.array(
    z.object({
      email: z.string().nullable().describe("null when the rule is the search's own"),
      rule: z.enum(['quarter_hour', 'notice', 'window', 'work_hours', 'focus_block', 'day_limit', 'busy', 'buffer']),
      detail: z.string(),
    }),
  ),
  rank: z.int().optional().describe('1 for the best of the candidates; only when free, as are the fields below'),
  candidates: z.int().optional(),
  passed_over: z.enum(['overlaps_a_better_slot', 'better_slots_first']).optional(),
  slot: Slot.optional(),
  search_window: SearchWindow,
  calendars: z.array(CalendarRead),
});

export const BookedMeeting = z.object({
  success: z.literal(true),
  meeting_id: z.string(),
  start_time: instant,
  end_time: instant,
  title: z.string(),
  attendees: z.array(z.string()),
  location: z.string(),
  meet_link: z.string().nullable().describe('null while the provider is still making it'),
});

export const AcceptedJob = z.object({
  job_id: z.string(),
  status: z.literal('processing'),
  message: z.string(),
  estimated_completion_seconds: z.int(),
  webhook_event: z.literal('meeting.scheduling.completed'),
});

export const Job = z.object({
  job_id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  created_at: instant,
  completed_at: instant.nullable(),
  result: z
    .union([eventData['meeting.scheduling.completed'], eventData['meeting.scheduling.failed']])
    .nullable()
    .describe("The same object as the webhook's data; null while processing"),
});
