import { wholeMinutes } from '../../../schema/api/meeting-answers.ts';
import type { Metadata } from '../../../schema/api/metadata.ts';
import type { Guard } from '../../../schema/db.ts';
import { acceptProposal } from '../../../schema/proposals/accept-queries.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';
import type { ProposalIntent } from '../intents.ts';

interface Booked {
  id: string;
  platformId: string;
  attendees: string[];
  title: string;
  location: string;
  metadata: Metadata;
  meetLink: string | null;
  start: number;
  end: number;
}

/**
 * Returns the statements that end a proposal as accepted and store its `proposal.accepted` event. They belong in the
 * batch that confirms the meeting.
 */
export function acceptedProposal(ctx: Ctx, meeting: Booked, { proposalId, timeId }: ProposalIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { id: meetingId, platformId, ...about } = meeting;
  const { attendees, title, location, metadata, meetLink, start, end } = about;
  const { statement, deliveryId } = insertEvent(ctx, {
    platformId,
    type: 'proposal.accepted',
    event: {
      ...{ proposalId, meetingId, attendees, title, location, metadata, meetLink, start, end },
      durationMinutes: wholeMinutes(meeting),
      at: now,
    },
    guard,
  });
  return {
    statements: [...acceptProposal(ctx.db, { proposalId, timeId, meetingId, now, guard }), statement],
    deliveryId,
  };
}
