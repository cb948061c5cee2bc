import type { ErrorCode } from '../../lib/errors.ts';
import {
  CancelledMeeting,
  Meeting,
  RescheduledMeeting,
  UpdatedMeeting,
  UserMeetings,
} from '../../schema/api/answers/meetings.ts';
import { RescheduleRequest, UpdateMeetingRequest, UserMeetingsQuery } from '../../schema/api/meetings.ts';
import type { Group } from './operation.ts';

const params = { meeting_id: 'As answered when the meeting was booked' };
const CHANGES: ErrorCode[] = [
  ...(['meeting_not_found', 'meeting_busy', 'calendar_reconnect_required'] as const),
  ...(['calendar_unavailable', 'calendar_refused'] as const),
];

export const meetings: Group = {
  tag: 'Meetings',
  description: 'Meetings this platform made.',
  operations: [
    {
      ...{ method: 'get', path: '/v1/meetings/{meeting_id}', id: 'getMeeting', key: 'platform' },
      summary: 'Read a meeting, also a cancelled or rescheduled one',
      params,
      answer: { is: 'The meeting.', schema: Meeting },
      errors: ['meeting_not_found'],
    },
    {
      ...{ method: 'put', path: '/v1/meetings/{meeting_id}', id: 'updateMeeting', key: 'platform' },
      summary: 'Change the time or the second attendee of a meeting',
      description:
        'Takes the time it is given, free or not, 5 to 720 minutes long. The first attendee stays. Emits meeting.updated.',
      params,
      body: UpdateMeetingRequest,
      takesIdempotencyKey: true,
      answer: { is: 'The meeting after the change.', schema: UpdatedMeeting },
      errors: [...CHANGES, 'user_not_found'],
    },
    {
      ...{ method: 'delete', path: '/v1/meetings/{meeting_id}', id: 'cancelMeeting', key: 'platform' },
      summary: 'Cancel a meeting for both',
      description: 'Emits meeting.cancelled. It cannot be undone, and the id can no longer be changed.',
      params,
      takesIdempotencyKey: true,
      answer: { is: 'The meeting is cancelled.', schema: CancelledMeeting },
      errors: CHANGES,
    },
    {
      ...{ method: 'post', path: '/v1/meetings/{meeting_id}/reschedule', id: 'rescheduleMeeting', key: 'platform' },
      summary: 'Move a meeting to the best other time of both, and record why',
      description:
        "Learns from the reason first. The calendar's event keeps its link; the meeting goes on under a new id, and the old one can no longer be changed. Emits meeting.scheduled with rescheduled_from.",
      params,
      body: RescheduleRequest,
      takesIdempotencyKey: true,
      answer: { is: 'The meeting that takes its place.', schema: RescheduledMeeting },
      errors: [...CHANGES, 'user_not_found', 'no_availability', 'unknown_time_zone'],
    },
    {
      ...{ method: 'get', path: '/v1/users/{email}/meetings', id: 'listUserMeetings', key: 'platform' },
      summary: "List a person's meetings with this platform",
      description: 'Those that start from `from` on and before `to`, in order of their start.',
      params: { email: "The person's address" },
      query: UserMeetingsQuery,
      answer: { is: 'All of them; there are no pages.', schema: UserMeetings },
      errors: ['user_not_found'],
    },
  ],
};
