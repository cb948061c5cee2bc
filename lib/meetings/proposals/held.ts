import { findOwnProposal, type listHeldTimes } from '../../../schema/meetings/proposals-held.ts';
import type { Ctx } from '../../kit/context.ts';
import { hasCode } from '../../kit/errors.ts';
import { declineProposal, withdrawProposal } from './end.ts';

export type HeldTimes = ReturnType<typeof heldTimesOf>[number];

export function heldTimesOf(userId: string, rows: Awaited<ReturnType<typeof listHeldTimes>>) {
  const groups = Map.groupBy(rows, ({ proposalId }) => proposalId);
  return [...groups.values()].flatMap((times) => {
    const [first] = times;
    if (first === undefined) return [];
    const { proposalId, platformId, platformName, requesterId, requesterEmail, otherEmail, expiresAt } = first;
    return {
      ...{ proposalId, platformId, platformName, expiresAt },
      withWhom: requesterId === userId ? otherEmail : requesterEmail,
      times: times.map(({ start, end }) => ({ start, end })),
    };
  });
}

/**
 * Ends an open proposal for one of its two people and frees its times: as withdrawn for the requester, as declined for
 * the other person. Does nothing if the proposal has ended, or if the person is not in it. Throws `proposal_busy`.
 */
export async function endOwnProposal(ctx: Ctx, { userId, id }: { userId: string; id: string }): Promise<void> {
  const found = /^prop_\w{1,60}$/.test(id) ? await findOwnProposal(ctx.db, { userId, id }) : undefined;
  if (found === undefined) return;
  const platform = { id: found.platformId };
  try {
    if (found.isRequester) await withdrawProposal(ctx, platform, id);
    else await declineProposal(ctx, platform, id, undefined);
  } catch (error) {
    if (!hasCode(error, 'proposal_ended')) throw error;
  }
}
