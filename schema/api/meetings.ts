import * as z from 'zod';
import { SHOWN_STATUSES } from '../meetings/status.ts';
import {
  Attendees,
  address,
  bothAttendees,
  CalendarEventEnd,
  Email,
  endTime,
  fairness,
  Instant,
  id,
  instantOf,
  instantOrNull,
  meetingId,
  meetLink,
  personPath,
  startTime,
  success,
  text,
  warnings,
  minutes as whole,
  wholeText,
} from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { MetadataChange, metadata } from './metadata.ts';
import { operation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, shownLimit } from './paging.ts';

const meetingPath = z.object({ meeting_id: id('As answered when the meeting was booked') });

const CHANGE_ERRORS: readonly ErrorCode[] = [
  'meeting_not_found',
  'meeting_busy',
  'calendar_reconnect_required',
  'calendar_unavailable',
  'calendar_refused',
];

/** A meeting whole; what does not apply is left out. */
export const Meeting = z.object({
  meeting_id: meetingId,
  status: z.enum(SHOWN_STATUSES).describe('rescheduled: another meeting has taken its place'),
  title: z.string().describe('The title it was booked under'),
  description: z.string().nullable().describe('The description it was booked with; null without one'),
  start_time: startTime,
  end_time: endTime,
  duration_minutes: z.int().describe('How long it takes, in minutes'),
  attendees: bothAttendees,
  rsvps: z
    .array(
      z.object({
        email: address,
        response_status: z
          .enum(['needsAction', 'accepted', 'declined', 'tentative'])
          .describe('What they answered; needsAction: nothing yet'),
        responded_at: instantOrNull('When they answered; null while they have not'),
      }),
    )
    .describe('What each answered to the invitation'),
  location: z.string().describe('Where it takes place'),
  meet_link: meetLink,
  metadata,
  created_at: instantOf('When it was booked'),
  updated_at: instantOf('When it last changed'),
  cancelled_at: instantOf('When it was cancelled; absent of one that was not').optional(),
  rescheduled_from: z.string().optional().describe('The meeting this one replaced'),
  rescheduled_to: z.string().optional().describe('The meeting that replaced this one'),
  job_id: z.string().optional().describe('The automatic scheduling that booked it'),
});
export type Meeting = z.infer<typeof Meeting>;

export const getMeeting = operation({
  method: 'get',
  path: '/v1/meetings/{meeting_id}',
  id: 'getMeeting',
  key: 'platform',
  summary: 'Read a meeting, also a cancelled or rescheduled one',
  description: 'Only the platform that made a meeting reads it.',
  params: meetingPath,
  answer: { is: 'The meeting.', schema: Meeting },
  errors: ['meeting_not_found'],
});

const MINUTE = 60_000;
/** The reason of an update that gives none. */
const UNTOLD = 'meeting_rescheduled';

export const UpdateMeetingRequest = z
  .object({
    start_time: Instant.describe('When it is to start, ISO 8601 with an offset or Z'),
    end_time: Instant.describe('When it is to end, 5 to 720 minutes later'),
    attendees: Attendees.optional().describe('The two it is to have, in any order; those it has when left out'),
    reason: text(1_000)
      .transform((reason) => reason.trim() || UNTOLD)
      .prefault(UNTOLD)
      .describe('Why, at most 1,000 characters; told in the webhook'),
    metadata: MetadataChange,
  })
  .refine(({ start_time: start, end_time: end }) => end - start >= 5 * MINUTE && end - start <= 720 * MINUTE, {
    path: ['end_time'],
    error: 'must be 5 to 720 minutes after start_time',
  });

export const UpdatedMeeting = z.object({
  success,
  meeting_id: meetingId,
  start_time: startTime,
  end_time: endTime,
  attendees: bothAttendees,
  metadata,
  status: z.literal('updated').describe('What it is from now on'),
  warnings,
});
export type UpdatedMeeting = z.infer<typeof UpdatedMeeting>;

export const updateMeeting = operation({
  method: 'put',
  path: '/v1/meetings/{meeting_id}',
  id: 'updateMeeting',
  key: 'platform',
  summary: 'Change the time or the second attendee of a meeting',
  description:
    'Takes the time it is given, free or not, 5 to 720 minutes long. The first attendee stays; metadata is merged. Emits meeting.updated.',
  params: meetingPath,
  body: UpdateMeetingRequest,
  takesIdempotencyKey: true,
  answer: { is: 'The meeting after the change.', schema: UpdatedMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found'],
});

export const CancelledMeeting = z.object({
  success,
  meeting_id: meetingId,
  status: z.literal('cancelled').describe('What it is for good'),
  calendar_event: CalendarEventEnd,
});
export type CancelledMeeting = z.infer<typeof CancelledMeeting>;

export const cancelMeeting = operation({
  method: 'delete',
  path: '/v1/meetings/{meeting_id}',
  id: 'cancelMeeting',
  key: 'platform',
  summary: 'Cancel a meeting for both',
  description:
    'Emits meeting.cancelled. It cannot be undone, and the id can no longer be changed. Works also after the first attendee ended their connection; the event on their calendar is then kept.',
  params: meetingPath,
  takesIdempotencyKey: true,
  answer: { is: 'The meeting is cancelled.', schema: CancelledMeeting },
  errors: CHANGE_ERRORS,
});

export const RescheduleRequest = z.object({
  meeting_id: z.string('must be a string').optional().describe('The same as in the path, if given'),
  requested_by: Email.describe('The attendee who asks for another time, and whose weights learn from the reason'),
  reason: text(1_000)
    .trim()
    .min(1, 'must not be empty')
    .describe('Why, in their own words, at most 1,000 characters: read as a wish about the new time first'),
  preferred_time_range: z
    .object(
      {
        start: Instant.describe('From when on, ISO 8601 with an offset or Z'),
        end: Instant.describe('Until when, ISO 8601 with an offset or Z'),
      },
      'must be {start, end}',
    )
    .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be after start' })
    .optional()
    .describe('Where the new time must lie'),
});

export const RescheduledMeeting = z.object({
  success,
  new_meeting_id: z.string().describe('The id the meeting goes on under'),
  new_meeting_time: instantOf('When it starts now'),
  reasoning: z.string().describe('Why this time, in two or three sentences for a person'),
  fairness,
  learned_from: z.string().describe('Which weights the reason changed, or that it taught nothing'),
  warnings,
});
export type RescheduledMeeting = z.infer<typeof RescheduledMeeting>;

export const rescheduleMeeting = operation({
  method: 'post',
  path: '/v1/meetings/{meeting_id}/reschedule',
  id: 'rescheduleMeeting',
  key: 'platform',
  summary: 'Move a meeting to the best other time of both, and record why',
  description:
    "Learns from the reason first. The calendar's event keeps its link; the meeting goes on under a new id, and the old one can no longer be changed. Emits meeting.scheduled with rescheduled_from.",
  params: meetingPath,
  body: RescheduleRequest,
  takesIdempotencyKey: true,
  answer: { is: 'The meeting that takes its place.', schema: RescheduledMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found', 'no_availability', 'unknown_time_zone'],
});

const filter = {
  ...pageQuery('meet_'),
  from: Instant.optional().describe('Only meetings that start then or later, ISO 8601 with an offset or Z'),
  to: Instant.optional().describe('Only meetings that start before, ISO 8601 with an offset or Z'),
  status: z
    .enum(SHOWN_STATUSES, `must be one of ${SHOWN_STATUSES.join(', ')}`)
    .optional()
    .describe('Only meetings that stand so'),
};
const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
const NO_SPAN = { path: ['to'], error: 'must be after from' };

const inOrder = z.array(Meeting).describe('The meetings, in order of their start');

export const Meetings = z.object({ meetings: inOrder, pagination: Pagination });

export const listMeetings = operation({
  method: 'get',
  path: '/v1/meetings',
  id: 'listMeetings',
  key: 'platform',
  summary: "List the platform's meetings",
  description: 'Those that start from `from` on and before `to`, in order of their start, a page at a time.',
  query: z
    .object({
      ...filter,
      limit: wholeText(1, LARGEST_PAGE).default(50),
      attendee: Email.optional().describe('Only meetings of this person'),
    })
    .refine(isSpan, NO_SPAN),
  shown: { limit: whole(1, LARGEST_PAGE).default(50).describe('Meetings a page') },
  answer: { is: 'A page, and the cursor of the next.', schema: Meetings },
  errors: ['user_not_found'],
});

export const UserMeetings = z.object({
  email: address,
  meetings: inOrder,
  total: z.int().describe('All that the filters leave, whatever the page has'),
  pagination: Pagination,
});

export const listUserMeetings = operation({
  method: 'get',
  path: '/v1/users/{email}/meetings',
  id: 'listUserMeetings',
  key: 'platform',
  summary: "List a person's meetings with this platform",
  description: 'Those that start from `from` on and before `to`, in order of their start.',
  params: personPath,
  query: z.object(filter).refine(isSpan, NO_SPAN),
  shown: { limit: shownLimit },
  answer: { is: 'The meetings.', schema: UserMeetings },
  errors: ['user_not_found'],
});

export const operations = [listMeetings, getMeeting, updateMeeting, cancelMeeting, rescheduleMeeting, listUserMeetings];
