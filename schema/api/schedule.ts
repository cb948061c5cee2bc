import * as z from 'zod';
import { answer, docs } from '#docs';
import { SEARCH_ERRORS, searchWarnings } from './availability.ts';
import * as f from './fields.ts';
import { metadata, NewMetadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { readingOfWhen, timesAsked } from './reading.ts';
import { eventData } from './webhook-events.ts';

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

export const Title = f.line(200);

const description = f.optionalOf(f.text(8_000), docs('Description of the calendar event, at most 8,000 characters.'));

/** The location of a meeting that was booked without a location (schema/DECISIONS.md, "Words"). */
export const DEFAULT_LOCATION = 'Google Meet';

export const ScheduleRequest = z.object({
  attendees: f.Attendees,
  start_time: f.Instant.describe(
    docs(
      'Start of the meeting, ISO 8601 with an offset or Z. The start must be in the future and at most 400 days from now.',
    ),
  ),
  duration_minutes: f
    .minutes(...f.GIVEN_MINUTES)
    .describe(docs(`Length of the meeting in minutes, ${f.GIVEN_MINUTES.join(' to ')}.`)),
  title: Title.describe(docs('Title of the calendar event, one line of at most 200 characters.')),
  description,
  location: f
    .line(500)
    .default(DEFAULT_LOCATION)
    .describe(docs('Location of the meeting, one line of at most 500 characters.')),
  metadata: NewMetadata,
  require_free: f.flagOf(docs('True to read both calendars again and refuse a time that is not free.')),
});

export const BookedMeeting = answer(() => ({
  success: f.success,
  meeting_id: f.meetingId,
  start_time: f.startTime,
  end_time: f.endTime,
  title: z.string().describe('Title of the calendar event.'),
  attendees: f.bothAttendees,
  location: z.string().describe('Location of the meeting.'),
  meet_link: f.meetLink,
  metadata,
  conflicts: f.arrayOf(
    f.Conflict,
    'Other meetings of this platform that are not cancelled and overlap the booked meeting, each with the attendee who is in both meetings. Tandem does not read the calendars to find these meetings.',
  ),
  warnings: f.warnings.describe(
    "Sentences for your log about a meeting that is booked all the same: one for each field of the body that Tandem does not know and so ignored; with `require_free`, one if the time is on an attendee's public holiday, outside their work hours or against a rule in their own words; and one if the first attendee's calendar cannot have Google Meet. Absent if there are none.",
  ),
}));
export type BookedMeeting = z.infer<typeof BookedMeeting>;

export const scheduleMeeting = platformOperation('post /v1/schedule', {
  summary: docs('Book a meeting at a given time'),
  description: docs(
    "Books the given time, whether or not both people are free. With `require_free`, Tandem reads both calendars again before it books. If the time is not free, Tandem books nothing and returns free alternatives. A time is not free if a person is busy, has a focus block, has another meeting within their buffer, or has reached their meeting limit for the day. Even with `require_free`, Tandem books a time outside a person's work hours or on a person's public holiday, and says so in `warnings`. Each booking counts toward your plan's monthly limit, and you receive the event `meeting.scheduled`.",
  ),
  body: ScheduleRequest,
  takesIdempotencyKey: true,
  answer: { is: docs('Returns the booked meeting.'), schema: BookedMeeting },
  errors: [...SEARCH_ERRORS, 'slot_unavailable', 'quota_exceeded'],
});

export const ofChosenTime = {
  attendees: f.Attendees,
  duration_minutes: f.searchedDuration,
  title: f.optionalOf(
    Title,
    docs(
      "Title of the calendar event, one line of at most 200 characters. Defaults to a title made from the `context` of the meeting and the attendees' names.",
    ),
  ),
  context: f.optionalOf(
    f.choiceOf(MEETING_CONTEXTS),
    docs(
      'Kind of meeting, which decides the times that Tandem prefers and how much notice people get. This field accepts no free text.',
    ),
  ),
};

export const AutoScheduleRequest = z
  .object({
    ...ofChosenTime,
    description,
    ...timesAsked,
    metadata: NewMetadata,
    auto: f.optionalOf(
      z.literal(true, 'must be true or left out'),
      docs('The field `auto` has no effect. You can leave out `auto`. If you send `auto`, it must be true.'),
    ),
  })
  .transform(({ auto: _, ...request }) => request);

const jobId = z.string().describe(docs('ID of the job, `sched_…`.'));

export const AcceptedJob = answer(() => ({
  job_id: jobId,
  status: z.literal('processing').describe('State of the job, which runs in the background.'),
  message: z.string().describe('One or two sentences that say how the result of the job arrives.'),
  estimated_completion_seconds: z.int().describe('Estimated number of seconds until the job has a result.'),
  webhook_event: z
    .literal('meeting.scheduling.completed')
    .describe('Type of the webhook event that Tandem sends when the meeting is booked.'),
  ...readingOfWhen.shape,
  warnings: searchWarnings,
}));
export type AcceptedJob = z.infer<typeof AcceptedJob>;

export const scheduleAutomatically = platformOperation('post /v1/schedule/auto', {
  summary: docs('Let Tandem choose and book a time'),
  description: docs(
    'Returns the ID of a job at once. Tandem then chooses and books a time in the background. The result of the job arrives as the webhook event `meeting.scheduling.completed` or `meeting.scheduling.failed` with the same `job_id`. You can also read the result of a job with getJob.',
  ),
  body: AutoScheduleRequest,
  takesIdempotencyKey: true,
  keyCheck: 'in_batch',
  answer: { status: 202, is: docs('Returns the accepted job, which runs in the background.'), schema: AcceptedJob },
  errors: ['user_not_found', 'calendar_reconnect_required', 'unknown_time_zone', 'quota_exceeded'],
});

export const Job = answer(() => ({
  job_id: jobId,
  status: z.enum(['processing', 'completed', 'failed']).describe('State of the job.'),
  created_at: f.instantOf('Time the job was accepted'),
  completed_at: f.instantOrNull('Time the job ended', 'Null while the job is processing.'),
  result: f.described(
    z.union([eventData['meeting.scheduling.completed'], eventData['meeting.scheduling.failed']]).nullable(),
    'Result of the job: the same object as the field `data` of the webhook event that reports the result. Null while the job is processing.',
  ),
}));

export const getJob = platformOperation('get /v1/jobs/{job_id}', {
  summary: docs('Get a scheduling job'),
  description: docs('Tandem keeps a job for 30 days after the job ends.'),
  params: z.object({ job_id: f.id(docs('ID of the job, returned by scheduleAutomatically.')) }),
  answer: { is: docs('Returns the job, with its result once it has ended.'), schema: Job },
  errors: ['job_not_found'],
});

export const CancelledJob = answer(() => ({
  success: z.literal(true).describe('Always true.'),
  job_id: jobId,
  status: z.literal('failed').describe('State of the job, which was cancelled and booked no meeting.'),
  booking: f.BookingOfJob,
  completed_at: f.instantOf('Time the job was cancelled'),
}));

export const cancelJob = platformOperation('delete /v1/jobs/{job_id}', {
  summary: docs('Cancel a scheduling job'),
  description: docs(
    'Cancels a job that is still processing. If the job is just booking a meeting, Tandem undoes the booking, and no event stays on the calendars. For a cancelled job, you receive the event `meeting.scheduling.failed` with the code `CANCELLED`. A completed job cannot be cancelled and keeps its meeting. The error for a completed job names the meeting, which you can cancel with cancelMeeting. Cancelling a cancelled job again returns the same response.',
  ),
  params: z.object({ job_id: f.id(docs('ID of the job, returned by scheduleAutomatically.')) }),
  answer: { is: docs("Returns the cancelled job, and says what happened to the job's booking."), schema: CancelledJob },
  errors: ['job_not_found', 'job_ended', 'meeting_busy'],
});

export const operations = { scheduleMeeting, scheduleAutomatically, getJob, cancelJob };
