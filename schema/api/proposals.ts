import * as z from 'zod';
import { ON_EXPIRY, PROPOSAL_STATUSES, TIME_STATUSES } from '../proposals/table.ts';
import { SEARCH_ERRORS } from './availability.ts';
import {
  Attendees,
  bothAttendees,
  Email,
  GIVEN_MINUTES,
  Instant,
  id,
  instantOf,
  instantOrNull,
  line,
  minutes,
  text,
  warnings,
  minutes as whole,
  wholeText,
} from './fields.ts';
import { metadata, NewMetadata } from './metadata.ts';
import { operation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery } from './paging.ts';
import { DEFAULT_LOCATION } from './schedule.ts';

/** The most times that a proposal offers. */
export const MOST_TIMES = 5;
const EXPIRY_HOURS = [1, 336] as const;

const onExpiry = z
  .enum(ON_EXPIRY, `must be one of ${ON_EXPIRY.join(', ')}`)
  .describe(
    'Effect of the expiry. `cancel`: the proposal ends, and its times are free. `book_first`: Tandem books the first time that is still free, and the proposal is accepted.',
  );

export const ProposalRequest = z.object({
  attendees: Attendees,
  duration_minutes: minutes(...GIVEN_MINUTES).describe(
    `Length of the meeting in minutes, ${GIVEN_MINUTES.join(' to ')}.`,
  ),
  title: line(200).describe('Title of the calendar event, one line of at most 200 characters.'),
  description: text(8_000).optional().describe('Description of the calendar event, at most 8,000 characters.'),
  location: line(500)
    .default(DEFAULT_LOCATION)
    .describe('Location of the meeting, one line of at most 500 characters.'),
  metadata: NewMetadata,
  times: z
    .array(Instant, `must be an array of 1 to ${MOST_TIMES} date-times`)
    .min(1, `must have 1 to ${MOST_TIMES} entries`)
    .max(MOST_TIMES, `must have 1 to ${MOST_TIMES} entries`)
    .refine((starts) => new Set(starts).size === starts.length, 'must not name the same time twice')
    .describe(
      'Start times to offer, ISO 8601 with an offset or Z, in the order in which they are offered. Each must be in the future and at most 400 days from now, and both people must be free then.',
    ),
  expires_in_hours: whole(...EXPIRY_HOURS)
    .default(48)
    .describe(
      `Hours until the proposal expires, ${EXPIRY_HOURS.join(' to ')}. A proposal expires at the latest when its last time begins, or with \`book_first\` 15 minutes before its earliest time.`,
    ),
  on_expiry: onExpiry.default('cancel'),
});

const status = z
  .enum(PROPOSAL_STATUSES)
  .describe('State of the proposal. An `open` proposal holds its times. Every other state is an end.');

export const Proposal = z.object({
  proposal_id: z.string().describe('ID of the proposal, `prop_…`.'),
  status,
  attendees: bothAttendees,
  duration_minutes: z.int().describe('Length of the meeting in minutes.'),
  title: z.string().describe('Title of the meeting.'),
  description: z.string().nullable().describe('Description of the meeting. Null if the meeting has no description.'),
  location: z.string().describe('Location of the meeting.'),
  times: z
    .array(
      z.object({
        id: z.string().describe('ID of the time, `time_…`.'),
        start_time: instantOf('Start of the time'),
        end_time: instantOf('End of the time'),
        reason: z.string().describe("The time in a sentence, on both people's clocks."),
        status: z
          .enum(TIME_STATUSES)
          .describe('State of the time. `held`: it is reserved for both people. `released`: it is free again.'),
      }),
    )
    .describe('Times of the proposal, in the order in which they are offered.'),
  expires_at: instantOf('Time the proposal expires if nobody ends it before'),
  on_expiry: onExpiry,
  decline_reason: z
    .string()
    .nullable()
    .describe('Reason that the platform gave for a decline. Null unless the proposal is declined with a reason.'),
  meeting_id: z
    .string()
    .nullable()
    .describe('ID of the meeting that was booked. Null unless the proposal is accepted.'),
  metadata,
  created_at: instantOf('Time the proposal was made'),
  ended_at: instantOrNull('Time the proposal ended', 'Null while the proposal is open.'),
});
export type Proposal = z.infer<typeof Proposal>;

export const MadeProposal = Proposal.extend({ warnings });
export type MadeProposal = z.infer<typeof MadeProposal>;

export const SettledProposal = Proposal.extend({ warnings });

export const proposeTimes = operation({
  method: 'post',
  path: '/v1/proposals',
  id: 'proposeTimes',
  key: 'platform',
  summary: 'Offer somebody a few times',
  description:
    'Reads both calendars and holds the given times for both people until the proposal ends: no search offers a held time, and no other booking that asks for a free time gets it. A proposal that nobody ends expires. A requester can have 20 open proposals on your platform, and two people 5 with each other. A proposal does not count toward the monthly limit.',
  body: ProposalRequest,
  takesIdempotencyKey: true,
  answer: { status: 201, is: 'Returns the open proposal.', schema: MadeProposal },
  errors: [...SEARCH_ERRORS, 'slot_unavailable', 'too_many_proposals'],
});

const ENDS = ['proposal_not_found', 'proposal_ended', 'proposal_busy'] as const;

const proposalPath = z.object({ proposal_id: id('ID of the proposal, returned by proposeTimes.') });

export const getProposal = operation({
  method: 'get',
  path: '/v1/proposals/{proposal_id}',
  id: 'getProposal',
  key: 'platform',
  summary: 'Get a proposal',
  description: 'Tandem keeps a proposal for 30 days after its end.',
  params: proposalPath,
  answer: { is: 'Returns the proposal.', schema: Proposal },
  errors: ['proposal_not_found'],
});

export const Proposals = z.object({
  proposals: z.array(Proposal).describe('Proposals, newest first.'),
  pagination: Pagination,
});

export const listProposals = operation({
  method: 'get',
  path: '/v1/proposals',
  id: 'listProposals',
  key: 'platform',
  summary: "List the platform's proposals",
  description: 'Returns one page of proposals, newest first.',
  query: z.object({
    ...pageQuery('prop_'),
    limit: wholeText(1, LARGEST_PAGE).default(50),
    status: z
      .enum(PROPOSAL_STATUSES, `must be one of ${PROPOSAL_STATUSES.join(', ')}`)
      .optional()
      .describe('Only proposals in this state.'),
    email: Email.optional().describe('Only proposals with this person, given by email address.'),
  }),
  shown: { limit: whole(1, LARGEST_PAGE).default(50).describe('Most proposals per page, 1 to 200.') },
  answer: { is: 'Returns a page of proposals and the cursor of the next page.', schema: Proposals },
});

export const withdrawProposal = operation({
  method: 'delete',
  path: '/v1/proposals/{proposal_id}',
  id: 'withdrawProposal',
  key: 'platform',
  summary: 'Withdraw a proposal',
  description:
    'Ends an open proposal and frees its times. You receive `proposal.withdrawn`. A repeated call returns the same answer. A proposal that ended otherwise stays as it is, and the error says how it ended.',
  params: proposalPath,
  answer: { is: 'Returns the withdrawn proposal.', schema: Proposal },
  errors: ENDS,
});

export const AcceptRequest = z.object({
  time_id: text(100).describe('ID of the time to accept, `time_…`.'),
});

export const acceptProposal = operation({
  method: 'post',
  path: '/v1/proposals/{proposal_id}/accept',
  id: 'acceptProposal',
  key: 'platform',
  summary: 'Accept a time of a proposal',
  description:
    'Reads both calendars once more, books the meeting at the held time, and frees the other times. The booking counts toward the monthly limit. You receive `proposal.accepted` and `meeting.scheduled`. If a calendar has become busy meanwhile, the time is freed, the proposal stays open, and the error says how many times are left. A repeated call returns the same answer.',
  params: proposalPath,
  body: AcceptRequest,
  answer: { is: 'Returns the accepted proposal, with the ID of its meeting.', schema: SettledProposal },
  errors: [
    ...ENDS,
    'time_unavailable',
    'user_not_found',
    'calendar_reconnect_required',
    'quota_exceeded',
    'calendar_unavailable',
    'calendar_refused',
  ],
});

export const DeclineRequest = z.object({
  reason: text(1_000).optional().describe('Reason for the decline, at most 1,000 characters.'),
});

export const declineProposal = operation({
  method: 'post',
  path: '/v1/proposals/{proposal_id}/decline',
  id: 'declineProposal',
  key: 'platform',
  summary: 'Decline a proposal',
  description:
    'Ends an open proposal and frees its times. You receive `proposal.declined`. A repeated call returns the same answer.',
  params: proposalPath,
  body: DeclineRequest,
  isBodyOptional: true,
  answer: { is: 'Returns the declined proposal.', schema: SettledProposal },
  errors: ENDS,
});

export const operations = [proposeTimes, listProposals, getProposal, acceptProposal, declineProposal, withdrawProposal];
