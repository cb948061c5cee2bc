import { toProposalAnswer } from '../../../schema/api/proposal-answers.ts';
import { endProposal, isEndedBy, listExpired } from '../../../schema/proposals/end-queries.ts';
import type { FoundProposal } from '../../../schema/proposals/list-queries.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { proposalEnded } from '../../kit/errors.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEvent, publishDelivery } from '../../webhooks/outbox.ts';
import { loadProposal } from './read.ts';

type End = 'withdrawn' | 'expired';

const EVENTS = { withdrawn: 'proposal.withdrawn', expired: 'proposal.expired' } as const;

/**
 * Withdraws an open proposal and frees its times. A repeated call returns the same answer. Throws `proposal_not_found`,
 * and `proposal_ended` for a proposal that ended otherwise.
 */
export async function withdrawProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  const proposal = await loadProposal(ctx, platform, id);
  if (proposal.status === 'open') await endAs(ctx, platform, proposal, 'withdrawn');
  const ended = proposal.status === 'open' ? await loadProposal(ctx, platform, id) : proposal;
  if (ended.status !== 'withdrawn') throw proposalEnded(ended.status);
  return toProposalAnswer(ended);
}

/** Ends expired proposals and frees their times, platforms in turn. */
export const expireProposals = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: 1,
    perTenant: 1,
    list: (line) => listExpired(ctx.db, { now: ctx.clock.now(), ...line }),
    tenantOf: ({ platformId }) => platformId,
    run: async ({ id, platformId }) => {
      const platform = { id: platformId };
      await endAs(ctx, platform, await loadProposal(ctx, platform, id), 'expired');
    },
  });

/**
 * Ends an open proposal in one batch with its event. Does nothing if the proposal has ended meanwhile, is being
 * accepted, or, for `expired`, has not expired.
 */
async function endAs(ctx: Ctx, { id: platformId }: PlatformRef, proposal: FoundProposal, status: End): Promise<void> {
  const now = ctx.clock.now();
  const ending = { id: proposal.id, platformId, status, owner: ctx.ids.id('end_'), now };
  const event = insertEvent(ctx, {
    platformId,
    type: EVENTS[status],
    event: { ...factsOf(proposal), at: now },
    guard: isEndedBy(ending),
  });
  const [ended] = await ctx.db.batch([...endProposal(ctx.db, ending), event.statement]);
  if (ended.length > 0) ctx.later(publishDelivery(ctx, event.deliveryId));
}

/** Returns what every event about a proposal says of it. */
const factsOf = ({ id: proposalId, requesterEmail, otherEmail, title, durationMinutes, metadata }: FoundProposal) => ({
  proposalId,
  attendees: [requesterEmail, otherEmail],
  title,
  durationMinutes,
  metadata,
});
