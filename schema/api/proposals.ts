import * as z from 'zod';
import { answer, docs } from '#docs';
import { CHANGE_ERRORS, SEARCH_ERRORS } from './availability.ts';
import * as f from './fields.ts';
import { metadata, NewMetadata } from './metadata.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownPage, USUAL_PAGE } from './paging.ts';
import { readingOfWhen, timesAsked } from './reading.ts';
import { DEFAULT_LOCATION } from './schedule.ts';
import { ON_EXPIRY, PROPOSAL_STATUSES, TIME_STATUSES } from './states.ts';

export const MOST_TIMES = 5;
/** Number of times that Tandem picks if the request has neither `times` nor `count`. */
export const USUAL_TIMES = 3;
const LONGEST_REQUESTER_NAME = 100;
/**
 * Limits on the time that one platform can hold with open proposals (schema/DECISIONS.md, "Proposals"). `ofPerson`
 * limits the proposals that a person is in, in either place, `ofPair` those of two people with each other, and
 * `heldHours` the hours held of one person. A held time counts as at least `leastMinutes`.
 */
export const MOST_OPEN = { ofPerson: 20, ofPair: 5, heldHours: 30, leastMinutes: 30 };
export const EXPIRY_HOURS = [1, 336] as const;
export const USUAL_HOURS = 48;

const onExpiry = f.described(
  f.choiceOf(ON_EXPIRY),
  docs(
    'What happens when the proposal expires without an answer. `cancel`: the proposal ends, and its times are free. `book_first`: of the times of the proposal, in the order in which they are offered, Tandem books the first one at which both people are still free, and the proposal ends as accepted. A proposal of other times that somebody asked for at the page of an earlier one always has `cancel`.',
  ),
);

/** Fields that a request must have if the proposal is for a new meeting. */
const OF_NEW = ['attendees', 'duration_minutes', 'title'] as const;
/** Fields that a proposal takes from its meeting if it moves one, so that the request must not have them. */
const OF_MEETING = ['title', 'description', 'location', 'metadata'] as const;

/** Fields that say which times Tandem picks, so that the request must not have them together with `times`. */
const OF_PICK = ['count', 'when', 'time_ranges'] as const;

type Fields = (typeof OF_NEW)[number] | (typeof OF_MEETING)[number] | (typeof OF_PICK)[number] | 'meeting_id' | 'times';

export function refineProposal(body: Partial<Record<Fields, unknown>>, issues: z.RefinementCtx): void {
  const isMove = body.meeting_id !== undefined;
  for (const field of isMove ? OF_MEETING : [])
    if (body[field] !== undefined)
      issues.addIssue({
        code: 'custom',
        path: [field],
        message: 'must not be sent together with `meeting_id`, because the meeting keeps its own',
      });
  for (const field of isMove ? [] : OF_NEW)
    if (body[field] === undefined) issues.addIssue({ code: 'custom', path: [field] });
  for (const field of body.times === undefined ? [] : OF_PICK)
    if (body[field] !== undefined)
      issues.addIssue({ code: 'custom', path: [field], message: 'must not be sent together with `times`' });
}

export const ProposalRequest = z
  .object({
    meeting_id: f.optionalOf(
      f.text(100),
      docs(
        'ID of a meeting that an acceptance moves, instead of booking a new one. The meeting stays as it is until then. It keeps its title, description, location and metadata, which you cannot send together with this field.',
      ),
    ),
    attendees: f.Attendees.optional().describe(
      docs(
        `${f.Attendees.description} Required without \`meeting_id\`. Defaults to the attendees of the meeting, and must be the same.`,
      ),
    ),
    requester_name: f.optionalOf(
      f.line(LONGEST_REQUESTER_NAME),
      docs(
        `Name of the requester that the proposal's page shows beside the email address, one line of at most ${LONGEST_REQUESTER_NAME} characters. Tandem stores no names of people.`,
      ),
    ),
    guest_time_zone: f.optionalOf(
      f.text(64),
      docs(
        'IANA time zone of the second attendee, if they are not connected. Tandem then picks times within ordinary work hours on their clock. Without it, the times only suit the working day of the requester.',
      ),
    ),
    duration_minutes: f.optionalOf(
      f.minutes(...f.GIVEN_MINUTES),
      docs(
        `Length of the meeting in minutes, ${f.GIVEN_MINUTES.join(' to ')}. Required without \`meeting_id\`. Defaults to the length of the meeting.`,
      ),
    ),
    title: f.optionalOf(
      f.line(200),
      docs('Title of the calendar event, one line of at most 200 characters. Required without `meeting_id`.'),
    ),
    description: f.optionalOf(f.text(8_000), docs('Description of the calendar event, at most 8,000 characters.')),
    location: f.optionalOf(
      f.line(500),
      docs(
        `Location of the meeting, one line of at most 500 characters. Defaults to \`${DEFAULT_LOCATION}\` for a new meeting.`,
      ),
    ),
    metadata: NewMetadata,
    times: f
      .someOf(f.Instant, MOST_TIMES, 'date-times')
      .refine((starts) => new Set(starts).size === starts.length, 'must not name the same time twice')
      .describe(
        docs(
          'Start times to offer, ISO 8601 with an offset or Z, in the order in which they are offered. Each must be in the future and at most 400 days from now, and both people must be free then. Defaults to times that Tandem picks.',
        ),
      )
      .optional(),
    count: f.optionalOf(
      f.minutes(1, MOST_TIMES),
      docs(
        `Number of times that Tandem picks, 1 to ${MOST_TIMES}, if you send no \`times\`. Defaults to ${USUAL_TIMES}. The times are the best ones of a search without \`date_range\`, each on another date where possible. If fewer are free, the proposal offers fewer.`,
      ),
    ),
    ...timesAsked,
    expires_in_hours: f.described(
      f.minutes(...EXPIRY_HOURS).default(USUAL_HOURS),
      docs(
        `Hours until the proposal expires, ${EXPIRY_HOURS.join(' to ')}. A proposal expires at the latest when its last time begins, or with \`book_first\` 15 minutes before its earliest time. With \`book_first\`, times that you give must therefore be more than 15 minutes from now.`,
      ),
    ),
    on_expiry: onExpiry.default('cancel'),
  })
  .superRefine(refineProposal);

type NewMeeting = Pick<
  Partial<z.output<typeof ProposalRequest>>,
  'attendees' | 'duration_minutes' | 'title' | 'description' | 'location' | 'metadata'
>;

export function newMeetingIn({ attendees, duration_minutes, title, ...body }: NewMeeting) {
  if (attendees === undefined || duration_minutes === undefined || title === undefined)
    throw new Error('A proposal of a new meeting was not checked.');
  return {
    attendees,
    durationMinutes: duration_minutes,
    title,
    description: body.description ?? null,
    location: body.location ?? DEFAULT_LOCATION,
    metadata: body.metadata ?? {},
  };
}

export const Proposal = answer(() => ({
  proposal_id: z.string().describe('ID of the proposal, `prop_…`.'),
  status: f.oneOf(
    PROPOSAL_STATUSES,
    'State of the proposal. An `open` proposal holds its times. Every other state is an end.',
  ),
  attendees: f.bothAttendees,
  attendee_details: f.attendeeDetails,
  requester_name: f.stringOrNull(
    "Name of the requester that the proposal's page shows beside the email address. Null if the request gave no name.",
  ),
  duration_minutes: z.int().describe('Length of the proposed meeting in minutes.'),
  title: z.string().describe('Title of the proposed meeting.'),
  description: f.stringOrNull('Description of the proposed meeting. Null if it has no description.'),
  location: z.string().describe('Location of the proposed meeting.'),
  times: f.arrayOf(
    z.object({
      id: z.string().describe('ID of this time of the proposal, `time_…`. Send it to acceptProposal.'),
      start_time: f.instantOf('Start of the meeting if somebody accepts this time'),
      end_time: f.instantOf('End of the meeting if somebody accepts this time'),
      reason: z.string().describe("This time of the proposal in a sentence, on both people's clocks."),
      status: f.oneOf(
        TIME_STATUSES,
        'State of this time of the proposal. `held`: Tandem keeps the time free of other bookings. `accepted`: the meeting takes place then. `released`: Tandem no longer keeps the time free.',
      ),
    }),
    'Times that the proposal offers, in the order in which they are offered.',
  ),
  url: f.stringOrNull(
    'Address of the page on which the second attendee chooses a time, declines, or later moves or cancels the meeting. Send it to that person alone, because whoever has it can answer. Null if one of the two people was erased.',
  ),
  expires_at: f.instantOf('Time at which the proposal expires, unless somebody ends it before'),
  on_expiry: onExpiry,
  decline_reason: f.stringOrNull(
    'Reason that was given for a decline, or the text with which the person at the page asked for other times. Null unless the proposal is declined with a reason, or countered.',
  ),
  counter_of: f.stringOrNull(
    'ID of the proposal at whose page the second attendee asked for other times, which this proposal offers: a countered one, or an accepted one whose meeting this proposal moves. Null if nobody asked for the times at a page.',
  ),
  meeting_id: f.stringOrNull(
    'ID of the meeting that was booked, or the new ID of the meeting that was moved. Null unless the proposal is accepted.',
  ),
  moves_meeting_id: f.stringOrNull('ID of the meeting that an acceptance moves. Null for a proposal of a new meeting.'),
  metadata,
  created_at: f.instantOf('Time at which the proposal was made'),
  ended_at: f.instantOrNull('Time at which the proposal ended', 'Null while the proposal is open.'),
}));
export type Proposal = z.infer<typeof Proposal>;

export const MadeProposal = answer(() => ({
  ...Proposal.shape,
  ...readingOfWhen.shape,
  warnings: f.warnings.describe(
    "Sentences for your log about a proposal that is made all the same: one for each field of the body that Tandem does not know and so ignored, one for each offered time on an attendee's public holiday, outside their work hours or against a rule in their own words, one if Tandem picks times for a guest without `guest_time_zone`, and one that quotes the words in `when` that had no effect. Absent if there are none.",
  ),
}));
export type MadeProposal = z.infer<typeof MadeProposal>;

export const proposeTimes = platformOperation('post /v1/proposals', {
  summary: docs('Offer somebody a few times'),
  description: docs(
    'Reads both calendars and holds the given times, or the best ones, for both people until the proposal ends: no search offers a held time, and no other booking that asks for a free time gets it. A proposal that nobody ends expires. A requester can have 20 open proposals on your platform, and two people 5 with each other. A proposal does not count toward the monthly limit. With `meeting_id`, an acceptance moves that meeting, and nothing changes before.',
  ),
  body: ProposalRequest,
  takesIdempotencyKey: true,
  answer: { status: 201, is: docs('Returns the open proposal.'), schema: MadeProposal },
  errors: [
    ...SEARCH_ERRORS,
    'no_availability',
    'slot_unavailable',
    'too_many_proposals',
    'meeting_not_found',
    'meeting_busy',
  ],
});

export const proposalPath = z.object({ proposal_id: f.id(docs('ID of the proposal, returned by proposeTimes.')) });

export const getProposal = platformOperation('get /v1/proposals/{proposal_id}', {
  summary: docs('Get a proposal'),
  description: docs(
    'Tandem keeps a proposal for 30 days after its end, and an accepted one for 30 days after its meeting.',
  ),
  params: proposalPath,
  answer: { is: docs('Returns the proposal.'), schema: Proposal },
  errors: ['proposal_not_found'],
});

export const Proposals = answer(() => ({
  proposals: f.arrayOf(Proposal, 'Proposals, newest first.'),
  pagination: Pagination,
}));

export const listProposals = platformOperation('get /v1/proposals', {
  summary: docs("List the platform's proposals"),
  description: docs('Returns one page of proposals, newest first.'),
  query: z.object({
    ...pageQuery('prop_'),
    limit: pageLimit.default(USUAL_PAGE),
    status: f.optionalOf(f.choiceOf(PROPOSAL_STATUSES), docs('Only proposals in this state.')),
    email: f.Email.optional().describe(docs('Only proposals with this person, given by email address.')),
  }),
  shown: shownPage(docs('Most proposals per page, 1 to 200.')),
  answer: { is: docs('Returns a page of proposals and the cursor of the next page.'), schema: Proposals },
});

export const SettledProposal = answer(() => ({
  ...Proposal.shape,
  warnings: f.warnings.describe(
    "Sentences for your log about a proposal that ended all the same: one for each field of the body that Tandem does not know and so ignored; and, in the answer of an acceptance that books a meeting, one if the first attendee's calendar cannot have Google Meet. Absent if there are none.",
  ),
}));

const ENDS = ['proposal_not_found', 'proposal_ended', 'proposal_busy'] as const;

export const withdrawProposal = platformOperation('delete /v1/proposals/{proposal_id}', {
  summary: docs('Withdraw a proposal'),
  description: docs(
    'Ends an open proposal and frees its times. You receive `proposal.withdrawn`. If you send the call again, you get the same answer. A proposal that ended otherwise stays as it is, and the error says how it ended.',
  ),
  params: proposalPath,
  answer: { is: docs('Returns the withdrawn proposal.'), schema: Proposal },
  errors: ENDS,
});

export const AcceptRequest = z.object({
  time_id: f.text(100).describe(docs('ID of the time of the proposal to accept, `time_…`.')),
  guest_name: f
    .line(200)
    .optional()
    .describe(docs('Name that the guest gave, one line of at most 200 characters. Shown in `attendee_details`.')),
  guest_time_zone: f.optionalOf(
    f.text(64),
    docs("IANA time zone of the guest. A later reschedule then keeps to ordinary work hours on the guest's clock."),
  ),
});

export const acceptProposal = platformOperation('post /v1/proposals/{proposal_id}/accept', {
  summary: docs('Accept a time of a proposal'),
  description: docs(
    'Reads both calendars once more, books the meeting at the held time, and frees the other times. The booking counts toward the monthly limit. If the proposal moves a meeting, the meeting is moved instead and gets a new ID, which does not count. You receive `proposal.accepted` and `meeting.scheduled`. If a calendar has become busy meanwhile, the time is freed, the proposal stays open, and the error says how many times are left. If you send the call again, you get the same answer.',
  ),
  params: proposalPath,
  body: AcceptRequest,
  answer: { is: docs('Returns the accepted proposal, with the ID of its meeting.'), schema: SettledProposal },
  errors: [...ENDS, 'time_unavailable', ...CHANGE_ERRORS, 'user_not_found', 'quota_exceeded'],
});

export const DeclineRequest = z.object({
  reason: f.text(1_000).optional().describe(docs('Reason for the decline, at most 1,000 characters.')),
});

export const declineProposal = platformOperation('post /v1/proposals/{proposal_id}/decline', {
  summary: docs('Decline a proposal'),
  description: docs(
    'Ends an open proposal and frees its times. You receive `proposal.declined`. If you send the call again, you get the same answer.',
  ),
  params: proposalPath,
  body: DeclineRequest,
  isBodyOptional: true,
  answer: { is: docs('Returns the declined proposal.'), schema: SettledProposal },
  errors: ENDS,
});

export const operations = {
  proposeTimes,
  listProposals,
  getProposal,
  acceptProposal,
  declineProposal,
  withdrawProposal,
};
