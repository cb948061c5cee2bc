import * as z from 'zod';
import { answer, answerOneOf, docs } from '#docs';
import { MINUTE } from '../units.ts';
import { CHANGE_ERRORS } from './availability.ts';
import * as f from './fields.ts';
import { MetadataChange, metadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownLimit, shownPage, USUAL_PAGE } from './paging.ts';
import { Proposal } from './proposals.ts';
import { reading, timeRange } from './reading.ts';
import { SHOWN_STATUSES } from './states.ts';

export const meetingPath = z.object({
  meeting_id: f.id(docs('ID of the meeting, from the response that booked the meeting.')),
});

export const Meeting = answer(() => ({
  meeting_id: f.meetingId,
  status: z
    .enum(SHOWN_STATUSES)
    .describe('State of the meeting. `rescheduled`: another meeting has replaced this meeting.'),
  title: z.string().describe('Title of the meeting.'),
  description: f.stringOrNull('Description of the meeting. Null if the meeting has no description.'),
  start_time: f.startTime,
  end_time: f.endTime,
  duration_minutes: z.int().describe('Length of the meeting in minutes.'),
  attendees: f.bothAttendees,
  attendee_details: f.attendeeDetails,
  rsvps: f.arrayOf(
    z.object({
      email: f.address,
      response_status: z
        .enum(['needsAction', 'accepted', 'declined', 'tentative'])
        .describe("The attendee's response to the invitation. `needsAction`: the person has not responded yet."),
      responded_at: f.instantOrNull(
        "Time of the attendee's response to the invitation",
        'Null until the person responds to the invitation.',
      ),
    }),
    'Response of each attendee to the invitation.',
  ),
  location: z.string().describe('Location of the meeting.'),
  meet_link: f.meetLink,
  metadata,
  created_at: f.instantOf('Time the meeting was booked'),
  updated_at: f.instantOf('Time of the last change to the meeting'),
  cancelled_at: f.instantOrAbsent('Time the meeting was cancelled', 'Absent if the meeting was not cancelled.'),
  rescheduled_from: f.stringOrAbsent('ID of the old meeting that this meeting replaced.'),
  rescheduled_to: f.stringOrAbsent('ID of the new meeting that replaced this meeting.'),
  job_id: f.stringOrAbsent('ID of the automatic scheduling job that booked the meeting.'),
}));
export type Meeting = z.infer<typeof Meeting>;

export const getMeeting = platformOperation('get /v1/meetings/{meeting_id}', {
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
export const isSpan = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from < to;
export const NO_SPAN = { path: ['to'], error: 'must be later than `from`' };

export const Meetings = answer(() => ({
  meetings: f.arrayOf(Meeting, 'Meetings, earliest start first.'),
  pagination: Pagination,
}));

export const listMeetings = platformOperation('get /v1/meetings', {
  summary: docs("List the platform's meetings"),
  description: docs(
    'Returns one page of the meetings that start at or after the time in `from` and before the time in `to`, earliest start first.',
  ),
  query: z
    .object({
      ...filter,
      limit: pageLimit.default(USUAL_PAGE),
      attendee: f.optionalOf(f.Email, docs('Returns only meetings with the person who has the given email address.')),
    })
    .refine(isSpan, NO_SPAN),
  shown: shownPage(docs('Largest number of meetings per page, 1 to 200.')),
  answer: { is: docs('Returns a page of meetings and the cursor of the next page.'), schema: Meetings },
  errors: ['user_not_found'],
});

export const UserMeetings = answer(() => ({
  email: f.address,
  meetings: f.arrayOf(Meeting, 'Meetings, earliest start first.'),
  total: z.int().describe('Number of meetings on all pages that match the filters of the request.'),
  pagination: Pagination,
}));

export const listUserMeetings = platformOperation('get /v1/users/{email}/meetings', {
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

const [SHORTEST, LONGEST] = f.GIVEN_MINUTES;
const LENGTHS = `${SHORTEST} to ${LONGEST}`;
/** Text that a meeting's `meeting.updated` event has as its reason if the request to update the meeting gives none. */
const UNTOLD = 'meeting_rescheduled';

export const UpdateMeetingRequest = z
  .object({
    start_time: f.Instant.describe(docs('New start of the meeting, ISO 8601 with an offset or Z.')),
    end_time: f.Instant.describe(
      docs(`New end of the meeting, ISO 8601 with an offset or Z, ${LENGTHS} minutes after \`start_time\`.`),
    ),
    attendees: f.Attendees.optional().describe(
      docs(
        'Email addresses of both attendees, in any order. Defaults to the current attendees. Only the second attendee can be replaced.',
      ),
    ),
    reason: f
      .text(1_000)
      .transform((reason) => reason.trim() || UNTOLD)
      .prefault(UNTOLD)
      .describe(
        docs('Reason, at most 1,000 characters, for the event `meeting.updated`. Defaults to `meeting_rescheduled`.'),
      ),
    metadata: MetadataChange,
  })
  .refine(
    ({ start_time: start, end_time: end }) => end - start >= SHORTEST * MINUTE && end - start <= LONGEST * MINUTE,
    { path: ['end_time'], error: `must be ${LENGTHS} minutes after \`start_time\`` },
  );

export const UpdatedMeeting = answer(() => ({
  success: f.success,
  ...Meeting.pick({ meeting_id: true, start_time: true, end_time: true, attendees: true, metadata: true }).shape,
  status: z.literal('updated').describe('State of the meeting after the change.'),
  warnings: f.warnings,
}));
export type UpdatedMeeting = z.infer<typeof UpdatedMeeting>;

export const updateMeeting = platformOperation('put /v1/meetings/{meeting_id}', {
  summary: docs('Change the time or the second attendee of a meeting'),
  description: docs(
    `Moves the meeting to the given time, whether or not the time is free. A meeting can be ${LENGTHS} minutes long. The first attendee of a meeting cannot be replaced. Replacing the second attendee counts toward your plan's monthly limit like a new meeting. The metadata in the request is merged into the meeting's metadata. You receive the event \`meeting.updated\`.`,
  ),
  params: meetingPath,
  body: UpdateMeetingRequest,
  takesIdempotencyKey: true,
  answer: { is: docs('Returns the meeting after the change.'), schema: UpdatedMeeting },
  errors: [...CHANGE_ERRORS, 'user_not_found', 'quota_exceeded'],
});

export const CancelledMeeting = answer(() => ({
  success: f.success,
  meeting_id: f.meetingId,
  status: z.literal('cancelled').describe('State of the meeting after the cancellation.'),
  calendar_event: f.CalendarEventEnd,
}));
export type CancelledMeeting = z.infer<typeof CancelledMeeting>;

export const cancelMeeting = platformOperation('delete /v1/meetings/{meeting_id}', {
  summary: docs('Cancel a meeting'),
  description: docs(
    "Cancels the meeting for both attendees. You receive the event `meeting.cancelled`. A cancellation cannot be undone, and a cancelled meeting can no longer be changed. You can cancel a meeting even after the first attendee has disconnected from your platform. In that case, the event stays on the first attendee's calendar.",
  ),
  params: meetingPath,
  takesIdempotencyKey: true,
  answer: { is: docs('Confirms that the meeting is cancelled.'), schema: CancelledMeeting },
  errors: CHANGE_ERRORS,
});

export const RescheduleRequest = z.object({
  meeting_id: f.optionalOf(
    z.string('must be a string'),
    docs(
      'ID of the meeting. You can leave out `meeting_id`. If you send `meeting_id`, it must equal the meeting ID in the path.',
    ),
  ),
  requested_by: f.Email.describe(
    docs(
      'Email address of the attendee who asks for another time. From the `reason`, Tandem learns about the preferences of this attendee.',
    ),
  ),
  reason: f.described(
    f.someText(1_000),
    docs(
      "Reason in the attendee's own words, at most 1,000 characters. From the reason, Tandem reads which new time the attendee wants, and learns about the attendee's preferences.",
    ),
  ),
  preferred_time_range: f.optionalOf(
    timeRange('must be later than `preferred_time_range.start`'),
    docs("Range within which the meeting's new time must be."),
  ),
  when_unclear: f.described(
    z.enum(['move', 'refuse'], 'must be `move` or `refuse`').default('move'),
    docs(
      'What happens if the `reason` says something about time, and Tandem understands none of it. `move` moves the meeting to one of the best times from the next day on, with a warning. `refuse` changes nothing and answers 409 `reason_unclear` with free times.',
    ),
  ),
  propose: f.flagOf(
    docs(
      'True to offer the three best times in a proposal instead of moving the meeting. The meeting stays as it is until one of the offered times is accepted. The proposal expires after 48 hours, or when the meeting begins.',
    ),
  ),
});

export const RescheduledMeeting = answer(() => ({
  success: f.success,
  new_meeting_id: z.string().describe('New ID of the meeting.'),
  new_meeting_time: f.instantOf('New start of the meeting'),
  reasoning: z.string().describe('Reason why Tandem chose the time, in two or three sentences for a person.'),
  fairness: f.fairness,
  learned_from: f.stringOf(
    'Sentence that names the learned weights that the `reason` changed, as your reasons alone make them, or says that no weight changed.',
  ),
  ...reading.shape,
  warnings: f.warnings.describe(
    'Sentences for your log: one for each field of the body that Tandem does not know and so ignored, one that quotes the words about time in the `reason` that Tandem did not understand, and one if the `reason` asks for another length, which a reschedule never changes. Absent if there are none.',
  ),
}));
export type RescheduledMeeting = z.infer<typeof RescheduledMeeting>;

export const ProposedReschedule = answer(() => ({
  ...Proposal.shape,
  reasoning: z.string().describe('Reason for the first of the times, in one or two sentences for a person.'),
  learned_from: RescheduledMeeting.shape.learned_from,
  ...reading.shape,
  warnings: RescheduledMeeting.shape.warnings,
}));
export type ProposedReschedule = z.infer<typeof ProposedReschedule>;

export const RescheduleAnswer = answerOneOf(() => [RescheduledMeeting, ProposedReschedule]);

export const rescheduleMeeting = platformOperation('post /v1/meetings/{meeting_id}/reschedule', {
  summary: docs('Move a meeting to the best other time for both people'),
  description: docs(
    "Learns from the attendee's reason, searches both calendars for another time, and moves the meeting to this time. The calendar event keeps its video link. A rescheduled meeting gets a new ID, and the meeting with the old ID can no longer be changed. You receive the event `meeting.scheduled`, whose field `rescheduled_from` has the meeting's old ID. With `propose`, Tandem offers the three best times in a proposal instead, and the meeting stays as it is until one of these times is accepted.",
  ),
  params: meetingPath,
  body: RescheduleRequest,
  takesIdempotencyKey: true,
  keyCheck: 'beside_load',
  answer: {
    is: docs('Returns the ID and the time of the new meeting, or with `propose` the open proposal.'),
    schema: RescheduleAnswer,
  },
  errors: [
    ...CHANGE_ERRORS,
    'user_not_found',
    'invalid_date_range',
    'no_availability',
    'reason_unclear',
    'unknown_time_zone',
    'too_many_proposals',
  ],
});

export const operations = {
  listMeetings,
  getMeeting,
  listUserMeetings,
  updateMeeting,
  cancelMeeting,
  rescheduleMeeting,
};
