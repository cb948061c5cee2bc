import * as z from 'zod';
import { SHOWN_STATUSES } from '../meetings/status.ts';
import {
  Attendees,
  CalendarEventEnd,
  Email,
  fairness,
  Instant,
  id,
  instant,
  personPath,
  text,
  warnings,
} from './fields.ts';
import type { ErrorCode } from './http-errors.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

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
  meeting_id: z.string(),
  status: z.enum(SHOWN_STATUSES),
  title: z.string(),
  description: z.string().nullable(),
  start_time: instant,
  end_time: instant,
  duration_minutes: z.int(),
  attendees: z.array(z.string()),
  rsvps: z.array(
    z.object({
      email: z.string(),
      response_status: z.enum(['needsAction', 'accepted', 'declined', 'tentative']),
      responded_at: instant.nullable(),
    }),
  ),
  location: z.string(),
  meet_link: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  cancelled_at: instant.optional(),
  rescheduled_from: z.string().optional().describe('The meeting this one replaced'),
  rescheduled_to: z.string().optional().describe('The meeting that replaced this one'),
  job_id: z.string().optional(),
});
export type Meeting = z.infer<typeof Meeting>;

export const getMeeting = operation({
  method: 'get',
  path: '/v1/meetings/{meeting_id}',
  id: 'getMeeting',
  key: 'platform',
  summary: 'Read a meeting, also a cancelled or rescheduled one',
  params: meetingPath,
  answer: { is: 'The meeting.', schema: Meeting },
  errors: ['meeting_not_found'],
});

const MINUTE = 60_000;
/** The reason of an update that gives none. */
const UNTOLD = 'meeting_rescheduled';

export const UpdateMeetingRequest = z
  .object({
    start_time: Instant,
    end_time: Instant,
    attendees: Attendees.optional(),
    reason: text(1_000)
      .transform((reason) => reason.trim() || UNTOLD)
      .prefault(UNTOLD),
  })
  .refine(({ start_time: start, end_time: end }) => end - start >= 5 * MINUTE && end - start <= 720 * MINUTE, {
    path: ['end_time'],
    error: 'must be 5 to 720 minutes after start_time',
  });

export const UpdatedMeeting = z.object({
  success: z.literal(true),
  meeting_id: z.string(),
  start_time: instant,
  end_time: instant,
  attendees: z.array(z.string()),
  status: z.literal('updated'),
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
    'Takes the time it is given, free or not, 5 to 720 minutes long. The first attendee stays. Emits meeting.updated.',
  params: meetingPath,
  body: UpdateMeetingRequest,
  takesIdempotencyKey: true,
  answer: { is: 'The meeting after the change.', schema: UpdatedMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found'],
});

export const CancelledMeeting = z.object({
  success: z.literal(true),
  meeting_id: z.string(),
  status: z.literal('cancelled'),
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
  meeting_id: z.string('must be a string').optional().describe('The same as in the path'),
  requested_by: Email,
  reason: text(1_000).trim().min(1, 'must not be empty'),
  preferred_time_range: z
    .object({ start: Instant, end: Instant }, 'must be {start, end}')
    .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be after start' })
    .optional(),
});

export const RescheduledMeeting = z.object({
  success: z.literal(true),
  new_meeting_id: z.string(),
  new_meeting_time: instant,
  reasoning: z.string(),
  fairness,
  learned_from: z.string(),
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

export const UserMeetings = z.object({
  email: z.string(),
  meetings: z.array(Meeting),
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
  query: z
    .object({
      ...pageQuery('meet_'),
      from: Instant.optional(),
      to: Instant.optional(),
      status: z.enum(SHOWN_STATUSES, `must be one of ${SHOWN_STATUSES.join(', ')}`).optional(),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
      path: ['to'],
      error: 'must be after from',
    }),
  shown: { limit: shownLimit },
  answer: { is: 'The meetings.', schema: UserMeetings },
  errors: ['user_not_found'],
});

export const operations = [getMeeting, updateMeeting, cancelMeeting, rescheduleMeeting, listUserMeetings];
