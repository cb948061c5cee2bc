import { toProposalAnswer } from '../../../schema/api/proposal-answers.ts';
import { findProposal, listProposals, type ProposalFilter } from '../../../schema/proposals/list-queries.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { proposalNotFound } from '../../kit/errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../../kit/read-page.ts';

const AT_ONCE = 200;

/** Returns a platform's proposal. Throws `proposal_not_found`. */
export async function readProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  return toProposalAnswer(await loadProposal(ctx, platform, id));
}

/** Loads a platform's proposal as it is stored. Throws `proposal_not_found`. */
export async function loadProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  const proposal = await findProposal(ctx.db, { platformId: platform.id, id });
  if (proposal === undefined) throw proposalNotFound();
  return proposal;
}

/** Returns a page of a platform's proposals, newest first. */
export async function listPlatformProposals(
  ctx: Ctx,
  platform: PlatformRef,
  { limit, after, ...filter }: ProposalFilter & PageRequest,
) {
  const of = { ...filter, platformId: platform.id };
  const first = await listProposals(ctx.db, { ...of, limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after });
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    listProposals(ctx.db, { ...of, limit: more, after: placeOf(last) }),
  );
  return { proposals: rows.map(toProposalAnswer), next: next && placeOf(next) };
}

const placeOf = ({ createdAt, id }: { createdAt: number; id: string }) => ({ at: createdAt, id });
