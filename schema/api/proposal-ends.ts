import * as z from 'zod';
import { docs } from '#docs';
import { line, optionalOf, text, warnings } from './fields.ts';
import { CHANGE_ERRORS } from './meetings.ts';
import { platformOperation } from './operation.ts';
import { Proposal, proposalPath } from './proposals.ts';

export const SettledProposal = Proposal.extend({
  warnings: warnings.describe(
    docs(
      "Sentences for your log about a proposal that ended all the same: one for each field of the body that Tandem does not know and so ignored; and, in the answer of an acceptance that books a meeting, one if the first attendee's calendar cannot have Google Meet. Absent if there are none.",
    ),
  ),
});

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
  time_id: text(100).describe(docs('ID of the time of the proposal to accept, `time_…`.')),
  guest_name: line(200)
    .optional()
    .describe(docs('Name that the guest gave, one line of at most 200 characters. Shown in `attendee_details`.')),
  guest_time_zone: optionalOf(
    text(64),
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
  reason: text(1_000).optional().describe(docs('Reason for the decline, at most 1,000 characters.')),
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

export const operations = { acceptProposal, declineProposal, withdrawProposal };
