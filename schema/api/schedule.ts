import * as z from 'zod';
import { SEARCH_ERRORS } from './availability.ts';
import { Attendees, Instant, id, instant, minutes, text, warnings } from './fields.ts';
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

/** Where a meeting takes place that was given no location (`interface.md`, Meeting). */
export const DEFAULT_LOCATION = 'Google Meet';

export const ScheduleRequest = z.object({
  attendees: Attendees,
  start_time: Instant,
  duration_minutes: minutes(5, 720),
  title: Title,
  description: text(8_000).optional(),
  location: text(500).trim().min(1, 'must not be empty').default(DEFAULT_LOCATION),
  require_free: z.boolean('must be true or false').default(false),
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
  conflicts: z
    .array(z.object({ email: z.string(), meeting_id: z.string(), start_time: instant, end_time: instant }))
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
    duration_minutes: minutes(15, 120).default(30),
    title: Title.optional(),
    context: z.enum(MEETING_CONTEXTS, `must be one of ${MEETING_CONTEXTS.join(', ')}`).optional(),
    description: text(8_000).optional(),
    auto: z.literal(true, 'must be true').optional(),
  })
  .transform(({ auto: _, ...request }) => request);

export const AcceptedJob = z.object({
  job_id: z.string(),
  status: z.literal('processing'),
  message: z.string(),
  estimated_completion_seconds: z.int(),
  webhook_event: z.literal('meeting.scheduling.completed'),
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
  job_id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  created_at: instant,
  completed_at: instant.nullable(),
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
  params: z.object({ job_id: id('As answered by scheduleAutomatically') }),
  answer: { is: 'The job, with its result once it has ended.', schema: Job },
  errors: ['job_not_found'],
});

export const operations = [scheduleMeeting, scheduleAutomatically, getJob];
