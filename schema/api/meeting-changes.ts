import * as z from 'zod';
import { MINUTE } from '../units.ts';
import {
  Attendees,
  bothAttendees,
  CalendarEventEnd,
  Email,
  endTime,
  fairness,
  GIVEN_MINUTES,
  Instant,
  instantOf,
  meetingId,
  startTime,
  success,
  text,
  warnings,
} from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { meetingPath } from './meetings.ts';
import { MetadataChange, metadata } from './metadata.ts';
import { operation } from './operation.ts';
import { reading } from './reading.ts';

const CHANGE_ERRORS: readonly ErrorCode[] = [
  'meeting_not_found',
  'meeting_busy',
  'calendar_reconnect_required',
  'calendar_unavailable',
  'calendar_refused',
];

const [SHORTEST, LONGEST] = GIVEN_MINUTES;
const LENGTHS = `${SHORTEST} to ${LONGEST}`;
/** Text that the event of a meeting update has as its reason if the request gives no reason. */
const UNTOLD = 'meeting_rescheduled';

export const UpdateMeetingRequest = z
  .object({
    start_time: Instant.describe('New start, ISO 8601 with an offset or Z.'),
    end_time: Instant.describe(`New end, ISO 8601 with an offset or Z, ${LENGTHS} minutes after start_time.`),
    attendees: Attendees.optional().describe(
      'Email addresses of both attendees, in any order. Defaults to the current attendees. Only the second attendee can be replaced.',
    ),
    reason: text(1_000)
      .transform((reason) => reason.trim() || UNTOLD)
      .prefault(UNTOLD)
      .describe('Reason for the change, at most 1,000 characters. The webhook includes it.'),
    metadata: MetadataChange,
  })
  .refine(
    ({ start_time: start, end_time: end }) => end - start >= SHORTEST * MINUTE && end - start <= LONGEST * MINUTE,
    {
      path: ['end_time'],
      error: `must be ${LENGTHS} minutes after \`start_time\``,
    },
  );

export const UpdatedMeeting = z.object({
  success,
  meeting_id: meetingId,
  start_time: startTime,
  end_time: endTime,
  attendees: bothAttendees,
  metadata,
  status: z.literal('updated').describe('New state of the meeting.'),
  warnings,
});
export type UpdatedMeeting = z.infer<typeof UpdatedMeeting>;

export const updateMeeting = operation({
  method: 'put',
  path: '/v1/meetings/{meeting_id}',
  id: 'updateMeeting',
  key: 'platform',
  summary: 'Change the time or the second attendee of a meeting',
  description: `Moves the meeting to the given time, whether or not it is free. The meeting can be ${LENGTHS} minutes long. The first attendee cannot be replaced. Replacing the second attendee counts toward your plan's monthly meetings like a new meeting. The metadata in the request is merged into the meeting's metadata. Emits \`meeting.updated\`.`,
  params: meetingPath,
  body: UpdateMeetingRequest,
  takesIdempotencyKey: true,
  answer: { is: 'Returns the meeting after the change.', schema: UpdatedMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found', 'quota_exceeded'],
});

export const CancelledMeeting = z.object({
  success,
  meeting_id: meetingId,
  status: z.literal('cancelled').describe('Final state of the meeting.'),
  calendar_event: CalendarEventEnd,
});
export type CancelledMeeting = z.infer<typeof CancelledMeeting>;

export const cancelMeeting = operation({
  method: 'delete',
  path: '/v1/meetings/{meeting_id}',
  id: 'cancelMeeting',
  key: 'platform',
  summary: 'Cancel a meeting',
  description:
    "Cancels the meeting for both attendees and emits `meeting.cancelled`. A cancellation cannot be undone, and a cancelled meeting can no longer be changed. You can also cancel after the first attendee has disconnected from your platform. In that case the calendar event stays on the first attendee's calendar.",
  params: meetingPath,
  takesIdempotencyKey: true,
  answer: { is: 'Confirms that the meeting is cancelled.', schema: CancelledMeeting },
  errors: CHANGE_ERRORS,
});

export const RescheduleRequest = z.object({
  meeting_id: z
    .string('must be a string')
    .optional()
    .describe('ID of the meeting. You may leave the field out. If sent, it must equal the ID in the path.'),
  requested_by: Email.describe(
    'Email address of the attendee who asks for another time. The reason changes the learned weights of this person.',
  ),
  reason: text(1_000)
    .trim()
    .min(1, 'must not be empty')
    .describe(
      "Reason in the attendee's own words, at most 1,000 characters. Tandem first reads in the reason what the attendee wants for the new time, and then what to learn about the attendee's preferences.",
    ),
  preferred_time_range: z
    .object(
      {
        start: Instant.describe('Start of the range, ISO 8601 with an offset or Z.'),
        end: Instant.describe('End of the range, ISO 8601 with an offset or Z.'),
      },
      'must be an object with the fields `start` and `end`',
    )
    .refine(({ start, end }) => start < end, {
      path: ['end'],
      error: 'must be later than `preferred_time_range.start`',
    })
    .optional()
    .describe('Range within which the new time must be.'),
});

export const RescheduledMeeting = z.object({
  success,
  new_meeting_id: z.string().describe('New ID of the meeting.'),
  new_meeting_time: instantOf('New start of the meeting'),
  reasoning: z.string().describe('Reason for the chosen time, in two or three sentences for a person.'),
  fairness,
  learned_from: z.string().describe('The weights that the reason changed, or a note that it changed none.'),
  ...reading,
  warnings,
});
export type RescheduledMeeting = z.infer<typeof RescheduledMeeting>;

export const rescheduleMeeting = operation({
  method: 'post',
  path: '/v1/meetings/{meeting_id}/reschedule',
  id: 'rescheduleMeeting',
  key: 'platform',
  summary: 'Move a meeting to the best other time for both people',
  description:
    'Learns from the reason, then searches both calendars and moves the meeting. The calendar event keeps its video link. The meeting gets a new ID, and the old ID can no longer be changed. Emits `meeting.scheduled` with `rescheduled_from`.',
  params: meetingPath,
  body: RescheduleRequest,
  takesIdempotencyKey: true,
  answer: { is: 'Returns the ID and the time of the new meeting.', schema: RescheduledMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found', 'no_availability', 'unknown_time_zone'],
});

export const operations = [updateMeeting, cancelMeeting, rescheduleMeeting];
