import * as z from 'zod';
import { SEARCH_ERRORS } from './availability.ts';
import {
  Attendees,
  BookingOfJob,
  bothAttendees,
  Conflict,
  endTime,
  GIVEN_MINUTES,
  Instant,
  id,
  instantOf,
  instantOrNull,
  line,
  meetingId,
  meetLink,
  minutes,
  searchedDuration,
  startTime,
  success,
  text,
  warnings,
} from './fields.ts';
import { metadata, NewMetadata } from './metadata.ts';
import { operation } from './operation.ts';
import { eventData } from './webhook-events/schemas.ts';

/** Kinds of meetings that a request can name as its context. The API specification fixes them. */
export const MEETING_CONTEXTS = [
  'warm_intro',
  'cold_outreach',
  'investor_call',
  'client_demo',
  'team_standup',
  'one_on_one',
  'interview',
  'sales_call',
  'strategy_session',
  'brainstorm',
  'review',
  'casual_chat',
  'urgent',
] as const;

const Title = line(200);

const description = text(8_000).optional().describe('Description of the calendar event, at most 8,000 characters.');

/** The location of a meeting that was booked without a location (schema/DECISIONS.md, "Words"). */
export const DEFAULT_LOCATION = 'Google Meet';

export const ScheduleRequest = z.object({
  attendees: Attendees,
  start_time: Instant.describe(
    'Start of the meeting, ISO 8601 with an offset or Z. The start must be in the future and at most 400 days from now.',
  ),
  duration_minutes: minutes(...GIVEN_MINUTES).describe(
    `Length of the meeting in minutes, ${GIVEN_MINUTES.join(' to ')}.`,
  ),
  title: Title.describe('Title of the calendar event, one line of at most 200 characters.'),
  description,
  location: line(500)
    .default(DEFAULT_LOCATION)
    .describe('Location of the meeting, one line of at most 500 characters.'),
  metadata: NewMetadata,
  require_free: z
    .boolean('must be true or false')
    .default(false)
    .describe('True to read both calendars again and refuse a time that is not free.'),
});

export const BookedMeeting = z.object({
  success,
  meeting_id: meetingId,
  start_time: startTime,
  end_time: endTime,
  title: z.string().describe('Title of the calendar event.'),
  attendees: bothAttendees,
  location: z.string().describe('Location of the meeting.'),
  meet_link: meetLink,
  metadata,
  conflicts: z
    .array(Conflict)
    .describe(
      'Live meetings of this platform that overlap the booked meeting, each with the attendee who is in both meetings. Tandem does not read the calendars for this list.',
    ),
  warnings: warnings.describe(
    'One sentence for each unknown field of the request and, with `require_free`, for each public holiday of an attendee on which the meeting falls. Absent if there are no such sentences.',
  ),
});
export type BookedMeeting = z.infer<typeof BookedMeeting>;

export const scheduleMeeting = operation({
  method: 'post',
  path: '/v1/schedule',
  id: 'scheduleMeeting',
  key: 'platform',
  summary: 'Book a meeting at a given time',
  description:
    "Books the time whether or not it is free. With `require_free`, Tandem first reads both calendars again. With `require_free`, Tandem refuses a time that is busy, in a person's focus block, within a person's buffer of another meeting or on a full day, and returns alternatives. Tandem books a time outside a person's work hours or on a person's public holiday, and `warnings` says so. Each booking counts toward the monthly limit and emits `meeting.scheduled`.",
  body: ScheduleRequest,
  takesIdempotencyKey: true,
  answer: { is: 'Returns the booked meeting.', schema: BookedMeeting },
  errors: [...SEARCH_ERRORS, 'slot_unavailable', 'quota_exceeded'],
});

export const AutoScheduleRequest = z
  .object({
    attendees: Attendees,
    duration_minutes: searchedDuration,
    title: Title.optional().describe(
      'Title of the calendar event, one line of at most 200 characters. Defaults to a title made from the context and the names.',
    ),
    context: z
      .enum(MEETING_CONTEXTS, `must be one of ${MEETING_CONTEXTS.join(', ')}`)
      .optional()
      .describe(
        'Kind of meeting. It decides which times Tandem prefers and how much notice people get. Free text is not accepted here.',
      ),
    description,
    metadata: NewMetadata,
    auto: z
      .literal(true, 'must be true or left out')
      .optional()
      .describe('Has no effect. The field is optional, and must be true if sent.'),
  })
  .transform(({ auto: _, ...request }) => request);

const jobId = z.string().describe('ID of the job, `sched_…`.');

export const AcceptedJob = z.object({
  job_id: jobId,
  status: z.literal('processing').describe('State of the job: it runs in the background.'),
  message: z.string().describe('Description of what happens next, in a sentence or two.'),
  estimated_completion_seconds: z.int().describe('Estimated time until the result, in seconds.'),
  webhook_event: z.literal('meeting.scheduling.completed').describe('Type of the event that reports success.'),
  warnings,
});
export type AcceptedJob = z.infer<typeof AcceptedJob>;

export const scheduleAutomatically = operation({
  method: 'post',
  path: '/v1/schedule/auto',
  id: 'scheduleAutomatically',
  key: 'platform',
  summary: 'Let Tandem choose and book a time',
  description:
    'Returns a job at once and books in the background. The result arrives as the event `meeting.scheduling.completed` or `meeting.scheduling.failed` with the same `job_id`. You can also read the result of the job with getJob.',
  body: AutoScheduleRequest,
  takesIdempotencyKey: true,
  answer: { status: 202, is: 'Returns the accepted job, which runs in the background.', schema: AcceptedJob },
  errors: ['user_not_found', 'calendar_reconnect_required', 'quota_exceeded'],
});

export const Job = z.object({
  job_id: jobId,
  status: z.enum(['processing', 'completed', 'failed']).describe('State of the job.'),
  created_at: instantOf('Time the job was accepted'),
  completed_at: instantOrNull('Time the job ended', 'Null while the job is processing.'),
  result: z
    .union([eventData['meeting.scheduling.completed'], eventData['meeting.scheduling.failed']])
    .nullable()
    .describe("Result of the job: the same object as the webhook's `data`. Null while the job is processing."),
});

export const getJob = operation({
  method: 'get',
  path: '/v1/jobs/{job_id}',
  id: 'getJob',
  key: 'platform',
  summary: 'Get a scheduling job',
  description: 'Tandem keeps a job for 30 days after the job ends.',
  params: z.object({ job_id: id('ID of the job, returned by scheduleAutomatically.') }),
  answer: { is: 'Returns the job, with its result once it has ended.', schema: Job },
  errors: ['job_not_found'],
});

export const CancelledJob = z.object({
  success: z.literal(true).describe('Always true.'),
  job_id: jobId,
  status: z.literal('failed').describe('State of the job: it has ended without a meeting.'),
  booking: BookingOfJob,
  completed_at: instantOf('Time the job was cancelled'),
});
export type CancelledJob = z.infer<typeof CancelledJob>;

export const cancelJob = operation({
  method: 'delete',
  path: '/v1/jobs/{job_id}',
  id: 'cancelJob',
  key: 'platform',
  summary: 'Cancel a scheduling job',
  description:
    'Cancels a job that is still processing. If the job is booking a meeting at that moment, the booking is withdrawn with it, and nothing stays on the calendars. You receive `meeting.scheduling.failed` with the code `CANCELLED`. A job that has completed keeps its meeting: the error names it, and cancelMeeting cancels it. A repeated call returns the same answer.',
  params: z.object({ job_id: id('ID of the job, returned by scheduleAutomatically.') }),
  answer: { is: 'Returns the job that was cancelled, and what became of its booking.', schema: CancelledJob },
  errors: ['job_not_found', 'job_ended'],
});

export const operations = [scheduleMeeting, scheduleAutomatically, getJob, cancelJob];
