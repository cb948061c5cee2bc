import type { FoundProposal } from '../proposals/list-queries.ts';
import { isoUtc } from './meeting-answers.ts';
import type { Proposal } from './proposals.ts';

/** The facts of a proposal that the API shows. */
export type Shown = Omit<FoundProposal, 'requesterId' | 'otherId' | 'leaseUntil'>;

/** Converts a proposal to the API's JSON. The meeting of an acceptance that is in progress is not shown. */
export const toProposalAnswer = (proposal: Shown): Proposal => ({
  proposal_id: proposal.id,
  status: proposal.status,
  attendees: [proposal.requesterEmail, proposal.otherEmail],
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
  expires_at: isoUtc(proposal.expiresAt),
  on_expiry: proposal.onExpiry,
  decline_reason: proposal.reason,
  meeting_id: proposal.status === 'accepted' ? proposal.meetingId : null,
  metadata: proposal.metadata,
  created_at: isoUtc(proposal.createdAt),
  ended_at: proposal.endedAt === null ? null : isoUtc(proposal.endedAt),
});
