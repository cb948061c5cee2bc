import { toProposalAnswer } from '../../../schema/answers/proposal-answers.ts';
import {
  type FoundProposal,
  findProposal,
  listProposals,
  type ProposalFilter,
} from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { proposalNotFound } from '../../kit/errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../../kit/read-page.ts';
import { urlOf } from '../protocol/proposal-link.ts';

const AT_ONCE = 200;

/** Throws `proposal_not_found`. */
export async function readProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  return answerOf(ctx, await loadProposal(ctx, platform, id));
}

/** The answer has the address of the proposal's page. */
export const answerOf = async (ctx: Ctx, proposal: FoundProposal) =>
  toProposalAnswer(proposal, await urlOf(ctx, proposal));

/** Throws `proposal_not_found`. */
export async function loadProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  const proposal = await findProposal(ctx.db, { platformId: platform.id, id });
  if (proposal === undefined) throw proposalNotFound();
  return proposal;
}

/** Returns the email of the person who asked for these times on the page of another proposal. */
export const askerOf = ({ counterOf, otherEmail }: FoundProposal) => (counterOf === null ? undefined : otherEmail);

/** Its lease shows that somebody is accepting the proposal: the meeting that is moved, or else the new one. */
export const writerOf = ({ movesMeetingId, meetingId, leaseUntil }: FoundProposal) => ({
  meetingId: movesMeetingId ?? meetingId,
  leaseUntil,
});

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
  return { proposals: await Promise.all(rows.map((row) => answerOf(ctx, row))), next: next && placeOf(next) };
}

const placeOf = ({ createdAt, id }: { createdAt: number; id: string }) => ({ at: createdAt, id });
