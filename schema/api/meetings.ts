import * as z from 'zod';
import { docs } from '#docs';
import {
  address,
  arrayOf,
  attendeeDetails,
  bothAttendees,
  choiceOf,
  Email,
  endTime,
  Instant,
  id,
  instantOf,
  instantOrNull,
  meetingId,
  meetLink,
  optionalOf,
  personPath,
  startTime,
  stringOrAbsent,
  stringOrNull,
  minutes as whole,
  wholeText,
} from './fields.ts';
import { metadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, shownLimit, USUAL_PAGE } from './paging.ts';
import { SHOWN_STATUSES } from './states.ts';

export const meetingPath = z.object({
  meeting_id: id('ID of the meeting, from the response that booked the meeting.'),
});

/** A whole meeting. Fields that do not apply to the meeting are left out. */
export const Meeting = z.object({
  meeting_id: meetingId,
  status: z
    .enum(SHOWN_STATUSES)
    .describe(docs('State of the meeting. `rescheduled`: another meeting has replaced this meeting.')),
  title: z.string().describe(docs('Title of the meeting.')),
  description: stringOrNull(docs('Description of the meeting. Null if the meeting has no description.')),
  start_time: startTime,
  end_time: endTime,
  duration_minutes: z.int().describe(docs('Length of the meeting in minutes.')),
  attendees: bothAttendees,
  attendee_details: attendeeDetails,
  rsvps: arrayOf(
    z.object({
      email: address,
      response_status: z
        .enum(['needsAction', 'accepted', 'declined', 'tentative'])
        .describe(docs("The attendee's response to the invitation. `needsAction`: the person has not responded yet.")),
      responded_at: instantOrNull(
        "Time of the attendee's response to the invitation",
        'Null until the person responds to the invitation.',
      ),
    }),
    docs('Response of each attendee to the invitation.'),
  ),
  location: z.string().describe(docs('Location of the meeting.')),
  meet_link: meetLink,
  metadata,
  created_at: instantOf('Time the meeting was booked'),
  updated_at: instantOf('Time of the last change to the meeting'),
  cancelled_at: instantOf('Time the meeting was cancelled', 'Absent if the meeting was not cancelled.').optional(),
  rescheduled_from: stringOrAbsent(docs('ID of the old meeting that this meeting replaced.')),
  rescheduled_to: stringOrAbsent(docs('ID of the new meeting that replaced this meeting.')),
  job_id: stringOrAbsent(docs('ID of the automatic scheduling job that booked the meeting.')),
});
export type Meeting = z.infer<typeof Meeting>;

export const getMeeting = platformOperation({
  method: 'get',
  path: '/v1/meetings/{meeting_id}',
  id: 'getMeeting',
  summary: docs('Get a meeting'),
  description: docs(
    'Returns a meeting, even one that was cancelled or rescheduled. Only the platform that created a meeting can read it.',
  ),
  params: meetingPath,
  answer: { is: docs('Returns the meeting.'), schema: Meeting },
  errors: ['meeting_not_found'],
});

const filter = {
  ...pageQuery('meet_'),
  from: Instant.optional().describe(
    docs('Returns only meetings that start at or after the given time, ISO 8601 with an offset or Z.'),
  ),
  to: Instant.optional().describe(
    docs('Returns only meetings that start before the given time, ISO 8601 with an offset or Z.'),
  ),
  status: optionalOf(choiceOf(SHOWN_STATUSES), docs('Returns only meetings in the given state.')),
};
/** Returns true if `to` is after `from`, or if one of the two is left out. */
export const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
export const NO_SPAN = { path: ['to'], error: 'must be later than `from`' };

const inOrder = z.array(Meeting).describe(docs('Meetings, earliest start first.'));

export const Meetings = z.object({ meetings: inOrder, pagination: Pagination });

export const listMeetings = platformOperation({
  method: 'get',
  path: '/v1/meetings',
  id: 'listMeetings',
  summary: docs("List the platform's meetings"),
  description: docs(
    'Returns one page of the meetings that start at or after the time in `from` and before the time in `to`, earliest start first.',
  ),
  query: z
    .object({
      ...filter,
      limit: wholeText(1, LARGEST_PAGE).default(USUAL_PAGE),
      attendee: Email.optional().describe(
        docs('Returns only meetings with the person who has the given email address.'),
      ),
    })
    .refine(isSpan, NO_SPAN),
  shown: {
    limit: whole(1, LARGEST_PAGE).default(USUAL_PAGE).describe(docs('Largest number of meetings per page, 1 to 200.')),
  },
  answer: { is: docs('Returns a page of meetings and the cursor of the next page.'), schema: Meetings },
  errors: ['user_not_found'],
});

export const UserMeetings = z.object({
  email: address,
  meetings: inOrder,
  total: z.int().describe(docs('Number of meetings on all pages that match the filters of the request.')),
  pagination: Pagination,
});

export const listUserMeetings = platformOperation({
  method: 'get',
  path: '/v1/users/{email}/meetings',
  id: 'listUserMeetings',
  summary: docs("List a person's meetings with this platform"),
  description: docs(
    "Returns the person's meetings that start at or after the time in `from` and before the time in `to`, earliest start first.",
  ),
  params: personPath,
  query: z.object(filter).refine(isSpan, NO_SPAN),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the meetings.'), schema: UserMeetings },
  errors: ['user_not_found'],
});

export const operations = [listMeetings, getMeeting, listUserMeetings];
