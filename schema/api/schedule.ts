import * as z from 'zod';
import { SEARCH_ERRORS } from './availability.ts';
import {
  Attendees,
  bothAttendees,
  Conflict,
  endTime,
  Instant,
  id,
  instantOf,
  instantOrNull,
  meetingId,
  meetLink,
  minutes,
  startTime,
  success,
  text,
  warnings,
} from './fields.ts';
import { metadata, NewMetadata } from './metadata.ts';
import { operation } from './operation.ts';
import { eventData } from './webhook-events.ts';

/** The meeting contexts of the interface. */
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

const Title = text(200).trim().min(1, 'must not be empty');

const description = text(8_000).optional().describe('The description of the calendar event, at most 8,000 characters');

/** Where a meeting takes place that was given no location (`interface.md`, Meeting). */
export const DEFAULT_LOCATION = 'Google Meet';

export const ScheduleRequest = z.object({
  attendees: Attendees,
  start_time: Instant.describe('When it starts, ISO 8601 with an offset or Z; from now to 400 days ahead'),
  duration_minutes: minutes(5, 720).describe('How long it takes, 5 to 720 minutes'),
  title: Title.describe('The title of the calendar event, at most 200 characters'),
  description,
  location: text(500)
    .trim()
    .min(1, 'must not be empty')
    .default(DEFAULT_LOCATION)
    .describe('Where it takes place, at most 500 characters'),
  metadata: NewMetadata,
  require_free: z
    .boolean('must be true or false')
    .default(false)
    .describe('Read both calendars again and refuse a time that is not free'),
});

export const BookedMeeting = z.object({
  success,
  meeting_id: meetingId,
  start_time: startTime,
  end_time: endTime,
  title: z.string().describe('The title as it stands on the calendars'),
  attendees: bothAttendees,
  location: z.string().describe('Where it takes place'),
  meet_link: meetLink,
  metadata,
  conflicts: z
    .array(Conflict)
    .describe(
      'Live meetings of this platform that it overlaps, with the attendee they are of; the calendars are not read for it',
    ),
  warnings,
});
export type BookedMeeting = z.infer<typeof BookedMeeting>;

export const scheduleMeeting = operation({
  method: 'post',
  path: '/v1/schedule',
  id: 'scheduleMeeting',
  key: 'platform',
  summary: 'Book a meeting at a given time',
  description:
    'Books the time whether it is free or not; with require_free both calendars are read again, and a time that is busy, within a buffer of another meeting or on a full day is refused with alternatives. Counts toward the monthly limit and emits meeting.scheduled.',
  body: ScheduleRequest,
  takesIdempotencyKey: true,
  answer: { is: 'The meeting, which stands on the calendars.', schema: BookedMeeting },
  errors: [...SEARCH_ERRORS, 'slot_unavailable', 'quota_exceeded'],
});

export const AutoScheduleRequest = z
  .object({
    attendees: Attendees,
    duration_minutes: minutes(15, 120).default(30).describe('How long it takes, 15 to 120 minutes'),
    title: Title.optional().describe('At most 200 characters; without it one is made of the context and the names'),
    context: z
      .enum(MEETING_CONTEXTS, `must be one of ${MEETING_CONTEXTS.join(', ')}`)
      .optional()
      .describe('The kind of meeting, which decides the times it prefers and the notice it needs; no free text here'),
    description,
    metadata: NewMetadata,
    auto: z.literal(true, 'must be true').optional().describe('Says what this endpoint does anyway; true if given'),
  })
  .transform(({ auto: _, ...request }) => request);

const jobId = z.string().describe('The id of the job, `sched_…`');

export const AcceptedJob = z.object({
  job_id: jobId,
  status: z.literal('processing').describe('It runs in the background'),
  message: z.string().describe('What happens next, in a sentence'),
  estimated_completion_seconds: z.int().describe('About how long it takes, in seconds'),
  webhook_event: z.literal('meeting.scheduling.completed').describe('The event that tells of its success'),
  warnings,
});
export type AcceptedJob = z.infer<typeof AcceptedJob>;

export const scheduleAutomatically = operation({
  method: 'post',
  path: '/v1/schedule/auto',
  id: 'scheduleAutomatically',
  key: 'platform',
  summary: 'Let the service pick and book a time',
  description:
    'The result comes as meeting.scheduling.completed or meeting.scheduling.failed with the same job_id, and is read with getJob.',
  body: AutoScheduleRequest,
  takesIdempotencyKey: true,
  answer: { status: 202, is: 'The accepted job; it runs in the background.', schema: AcceptedJob },
  errors: ['user_not_found', 'calendar_reconnect_required', 'quota_exceeded'],
});

export const Job = z.object({
  job_id: jobId,
  status: z.enum(['processing', 'completed', 'failed']).describe('How far it is'),
  created_at: instantOf('When it was accepted'),
  completed_at: instantOrNull('When it ended; null while processing'),
  result: z
    .union([eventData['meeting.scheduling.completed'], eventData['meeting.scheduling.failed']])
    .nullable()
    .describe("The same object as the webhook's data; null while processing"),
});

export const getJob = operation({
  method: 'get',
  path: '/v1/jobs/{job_id}',
  id: 'getJob',
  key: 'platform',
  summary: 'Read a scheduling job',
  description: 'Kept for 30 days after its end.',
  params: z.object({ job_id: id('As answered by scheduleAutomatically') }),
  answer: { is: 'The job, with its result once it has ended.', schema: Job },
  errors: ['job_not_found'],
});

export const operations = [scheduleMeeting, scheduleAutomatically, getJob];
