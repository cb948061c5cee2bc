import { type AttendeeDetails, detailsOf } from '../api/attendee-details.ts';
import type { Proposal } from '../api/proposals.ts';
import type { FoundProposal } from '../meetings/proposals-list.ts';
import { isoUtc } from './meeting-answers.ts';

/** Fields of a proposal that the API's answer shows or is made from. */
export type Shown = Omit<
  FoundProposal,
  | 'requesterId'
  | 'otherId'
  | 'isOtherGone'
  | 'hasOtherLeft'
  | 'leaseUntil'
  | 'token'
  | 'movedStart'
  | 'isMeetingAsBefore'
  | 'reading'
  | 'expiresInHours'
  | 'counters'
>;

type People = Pick<
  FoundProposal,
  'requesterEmail' | 'otherEmail' | 'isRequesterConnected' | 'isOtherConnected' | 'guestTimeZone'
>;

/** Says who is connected, and a guest's time zone. The guest's name is in the API's answer alone. */
export const detailsOfProposal = (proposal: People): AttendeeDetails => [
  { email: proposal.requesterEmail, isConnected: proposal.isRequesterConnected },
  { email: proposal.otherEmail, isConnected: proposal.isOtherConnected, timeZone: proposal.guestTimeZone },
];

const withName = ([requester, other]: AttendeeDetails, name: string | null): AttendeeDetails => [
  requester,
  { ...other, name },
];

/** `url` is the page's. The meeting is in it only once accepted, because a booking in progress may still fail. */
export const toProposalAnswer = (proposal: Shown, url: string | null): Proposal => ({
  proposal_id: proposal.id,
  status: proposal.status,
  attendees: [proposal.requesterEmail, proposal.otherEmail],
  ...detailsOf(withName(detailsOfProposal(proposal), proposal.guestName)),
  requester_name: proposal.requesterName,
  duration_minutes: proposal.durationMinutes,
  title: proposal.title,
  description: proposal.description,
  location: proposal.location,
  times: proposal.times.map(({ id, start, end, reason, status }) => ({
    id,
    start_time: isoUtc(start),
    end_time: isoUtc(end),
    reason,
    status,
  })),
  url,
  expires_at: isoUtc(proposal.expiresAt),
  on_expiry: proposal.onExpiry,
  decline_reason: proposal.reason,
  counter_of: proposal.counterOf,
  meeting_id: proposal.status === 'accepted' ? proposal.meetingId : null,
  moves_meeting_id: proposal.movesMeetingId,
  metadata: proposal.metadata,
  created_at: isoUtc(proposal.createdAt),
  ended_at: proposal.endedAt === null ? null : isoUtc(proposal.endedAt),
});
