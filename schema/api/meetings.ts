import * as z from 'zod';
import { SHOWN_STATUSES } from '../meetings/status.ts';
import {
  address,
  bothAttendees,
  Email,
  endTime,
  Instant,
  id,
  instantOf,
  instantOrNull,
  meetingId,
  meetLink,
  personPath,
  startTime,
  minutes as whole,
  wholeText,
} from './fields.ts';
import { metadata } from './metadata.ts';
import { operation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, shownLimit } from './paging.ts';

export const meetingPath = z.object({ meeting_id: id('ID of the meeting, returned when it was booked.') });

/** A whole meeting. Fields that do not apply to the meeting are left out. */
export const Meeting = z.object({
  meeting_id: meetingId,
  status: z.enum(SHOWN_STATUSES).describe('State of the meeting. `rescheduled`: another meeting has replaced it.'),
  title: z.string().describe('Title of the meeting.'),
  description: z.string().nullable().describe('Description of the meeting. Null if the meeting has no description.'),
  start_time: startTime,
  end_time: endTime,
  duration_minutes: z.int().describe('Length of the meeting in minutes.'),
  attendees: bothAttendees,
  rsvps: z
    .array(
      z.object({
        email: address,
        response_status: z
          .enum(['needsAction', 'accepted', 'declined', 'tentative'])
          .describe('Response to the invitation. `needsAction`: the person has not responded yet.'),
        responded_at: instantOrNull('Time of the response', 'Null until the person responds.'),
      }),
    )
    .describe('Response of each attendee to the invitation.'),
  location: z.string().describe('Location of the meeting.'),
  meet_link: meetLink,
  metadata,
  created_at: instantOf('Time of the booking'),
  updated_at: instantOf('Time of the last change'),
  cancelled_at: instantOf('Time of the cancellation', 'Absent if the meeting was not cancelled.').optional(),
  rescheduled_from: z.string().optional().describe('ID of the old meeting that this meeting replaced.'),
  rescheduled_to: z.string().optional().describe('ID of the new meeting that replaced this meeting.'),
  job_id: z.string().optional().describe('ID of the automatic scheduling job that booked the meeting.'),
});
export type Meeting = z.infer<typeof Meeting>;

export const getMeeting = operation({
  method: 'get',
  path: '/v1/meetings/{meeting_id}',
  id: 'getMeeting',
  key: 'platform',
  summary: 'Get a meeting',
  description: 'Returns cancelled and rescheduled meetings too. Only the platform that created a meeting can read it.',
  params: meetingPath,
  answer: { is: 'Returns the meeting.', schema: Meeting },
  errors: ['meeting_not_found'],
});

const filter = {
  ...pageQuery('meet_'),
  from: Instant.optional().describe('Only meetings that start at or after this time, ISO 8601 with an offset or Z.'),
  to: Instant.optional().describe('Only meetings that start before this time, ISO 8601 with an offset or Z.'),
  status: z
    .enum(SHOWN_STATUSES, `must be one of ${SHOWN_STATUSES.join(', ')}`)
    .optional()
    .describe('Only meetings in this state.'),
};
/** Returns true if `to` is after `from`, or if one of the two is left out. */
export const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
export const NO_SPAN = { path: ['to'], error: 'must be later than `from`' };

const inOrder = z.array(Meeting).describe('Meetings, earliest start first.');

export const Meetings = z.object({ meetings: inOrder, pagination: Pagination });

export const listMeetings = operation({
  method: 'get',
  path: '/v1/meetings',
  id: 'listMeetings',
  key: 'platform',
  summary: "List the platform's meetings",
  description: 'Returns one page of the meetings that start at or after `from` and before `to`, earliest start first.',
  query: z
    .object({
      ...filter,
      limit: wholeText(1, LARGEST_PAGE).default(50),
      attendee: Email.optional().describe('Only meetings with this person, given by email address.'),
    })
    .refine(isSpan, NO_SPAN),
  shown: { limit: whole(1, LARGEST_PAGE).default(50).describe('Most meetings per page, 1 to 200.') },
  answer: { is: 'Returns a page of meetings and the cursor of the next page.', schema: Meetings },
  errors: ['user_not_found'],
});

export const UserMeetings = z.object({
  email: address,
  meetings: inOrder,
  total: z.int().describe('Number of meetings that match the filters, on all pages.'),
  pagination: Pagination,
});

export const listUserMeetings = operation({
  method: 'get',
  path: '/v1/users/{email}/meetings',
  id: 'listUserMeetings',
  key: 'platform',
  summary: "List a person's meetings with this platform",
  description: 'Returns the meetings that start at or after `from` and before `to`, earliest start first.',
  params: personPath,
  query: z.object(filter).refine(isSpan, NO_SPAN),
  shown: { limit: shownLimit },
  answer: { is: 'Returns the meetings.', schema: UserMeetings },
  errors: ['user_not_found'],
});

export const operations = [listMeetings, getMeeting, listUserMeetings];
