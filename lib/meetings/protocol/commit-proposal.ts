import { wholeMinutes } from '../../../schema/answers/meeting-answers.ts';
import type { Guard } from '../../../schema/db.ts';
import { acceptProposal } from '../../../schema/meetings/proposals-accept.ts';
import { type FoundProposal, selectProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx } from '../../kit/context.ts';
import { insertEvent } from '../../webhooks/outbox.ts';
import type { ProposalIntent } from './intents.ts';
import type { Meeting } from './meeting.ts';

type Booked = Pick<
  Meeting,
  'id' | 'platformId' | 'attendees' | 'details' | 'title' | 'location' | 'metadata' | 'meetLink' | 'start' | 'end'
>;

/** They store `proposal.accepted` in the batch that confirms the meeting. `ended` selects the proposal after them. */
export function acceptedProposal(ctx: Ctx, meeting: Booked, { proposalId, timeId }: ProposalIntent, guard: Guard) {
  const now = ctx.clock.now();
  const { id: meetingId, platformId, ...about } = meeting;
  const { attendees, details, title, location, metadata, meetLink, start, end } = about;
  const { statement, deliveryId } = insertEvent(ctx, {
    platformId,
    type: 'proposal.accepted',
    event: {
      ...{ proposalId, meetingId, attendees, details, title, location, metadata, meetLink, start, end },
      durationMinutes: wholeMinutes(meeting),
      at: now,
    },
    guard,
  });
  return {
    statements: [...acceptProposal(ctx.db, { proposalId, timeId, meetingId, now, guard }), statement],
    ended: selectProposal(ctx.db, { platformId, id: proposalId }),
    deliveryId,
  };
}

export function acceptedIn(results: readonly unknown[]): FoundProposal | undefined {
  // The batch's type cannot say which statement comes last, because most of them are conditional.
  const [proposal] = results.at(-1) as FoundProposal[];
  return proposal;
}
