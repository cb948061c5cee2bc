import * as z from 'zod';
import { docs } from '#docs';
import * as f from './fields.ts';
import { metadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, shownLimit, USUAL_PAGE } from './paging.ts';
import { SHOWN_STATUSES } from './states.ts';

export const meetingPath = z.object({
  meeting_id: f.id('ID of the meeting, from the response that booked the meeting.'),
});

/** A whole meeting. Fields that do not apply to the meeting are left out. */
export const Meeting = z.object({
  meeting_id: f.meetingId,
  status: z
    .enum(SHOWN_STATUSES)
    .describe(docs('State of the meeting. `rescheduled`: another meeting has replaced this meeting.')),
  title: z.string().describe(docs('Title of the meeting.')),
  description: f.stringOrNull(docs('Description of the meeting. Null if the meeting has no description.')),
  start_time: f.startTime,
  end_time: f.endTime,
  duration_minutes: z.int().describe(docs('Length of the meeting in minutes.')),
  attendees: f.bothAttendees,
  attendee_details: f.attendeeDetails,
  rsvps: f.arrayOf(
    z.object({
      email: f.address,
      response_status: z
        .enum(['needsAction', 'accepted', 'declined', 'tentative'])
        .describe(docs("The attendee's response to the invitation. `needsAction`: the person has not responded yet.")),
      responded_at: f.instantOrNull(
        "Time of the attendee's response to the invitation",
        'Null until the person responds to the invitation.',
      ),
    }),
    docs('Response of each attendee to the invitation.'),
  ),
  location: z.string().describe(docs('Location of the meeting.')),
  meet_link: f.meetLink,
  metadata,
  created_at: f.instantOf('Time the meeting was booked'),
  updated_at: f.instantOf('Time of the last change to the meeting'),
  cancelled_at: f.instantOf('Time the meeting was cancelled', 'Absent if the meeting was not cancelled.').optional(),
  rescheduled_from: f.stringOrAbsent(docs('ID of the old meeting that this meeting replaced.')),
  rescheduled_to: f.stringOrAbsent(docs('ID of the new meeting that replaced this meeting.')),
  job_id: f.stringOrAbsent(docs('ID of the automatic scheduling job that booked the meeting.')),
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
  from: f.Instant.optional().describe(
    docs('Returns only meetings that start at or after the given time, ISO 8601 with an offset or Z.'),
  ),
  to: f.Instant.optional().describe(
    docs('Returns only meetings that start before the given time, ISO 8601 with an offset or Z.'),
  ),
  status: f.optionalOf(f.choiceOf(SHOWN_STATUSES), docs('Returns only meetings in the given state.')),
};
/** Returns true if `to` is after `from`, or if one of the two is left out. */
export const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
export const NO_SPAN = { path: ['to'], error: 'must be later than `from`' };

const inOrder = f.arrayOf(Meeting, docs('Meetings, earliest start first.'));

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
      limit: f.wholeText(1, LARGEST_PAGE).default(USUAL_PAGE),
      attendee: f.Email.optional().describe(
        docs('Returns only meetings with the person who has the given email address.'),
      ),
    })
    .refine(isSpan, NO_SPAN),
  shown: {
    limit: f
      .minutes(1, LARGEST_PAGE)
      .default(USUAL_PAGE)
      .describe(docs('Largest number of meetings per page, 1 to 200.')),
  },
  answer: { is: docs('Returns a page of meetings and the cursor of the next page.'), schema: Meetings },
  errors: ['user_not_found'],
});

export const UserMeetings = z.object({
  email: f.address,
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
  params: f.personPath,
  query: z.object(filter).refine(isSpan, NO_SPAN),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the meetings.'), schema: UserMeetings },
  errors: ['user_not_found'],
});

export const operations = [listMeetings, getMeeting, listUserMeetings];
