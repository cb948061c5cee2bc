import { toProposalAnswer } from '../../../schema/answers/meeting-answers.ts';
import { batch } from '../../../schema/db.ts';
import { listDeliveriesOfProposal } from '../../../schema/delivery/deliveries-log.ts';
import { selectSnapshot } from '../../../schema/meetings/change.ts';
import {
  type FoundProposal,
  listProposals,
  ofProposal,
  type ProposalFilter,
  selectProposal,
} from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { errorOf } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { type PageRequest, readPage } from '../../kit/read-page.ts';
import { urlOf } from '../protocol/proposal-link.ts';
import { knownInBatch } from '../verbs/still-free.ts';

const AT_ONCE = 200;

/** Throws `proposal_not_found`. */
export async function readProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  return answerOf(ctx, await loadProposal(ctx, platform, id));
}

export const answerOf = async (ctx: Ctx, proposal: FoundProposal) =>
  toProposalAnswer(proposal, await urlOf(ctx, proposal));

/** Throws `proposal_not_found`. */
export async function loadProposal(ctx: Ctx, platform: PlatformRef, id: string) {
  const [proposal] = await selectProposal(ctx.db, { platformId: platform.id, id });
  if (proposal === undefined) throw errorOf('proposal_not_found');
  return proposal;
}

/** Also loads what is looked at before a time is accepted. Throws `proposal_not_found`. */
export async function loadToAccept(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  const { pair, movesMeetingId } = ofProposal({ platformId, id });
  const { found, moved, ...known } = await batch(ctx.db, {
    found: selectProposal(ctx.db, { platformId, id }),
    moved: selectSnapshot(ctx.db, { platformId, id: movesMeetingId }),
    ...knownInBatch(ctx, pair, [ctx.clock.now(), null]),
  });
  if (found[0] === undefined) throw errorOf('proposal_not_found');
  return { ...known, proposal: found[0], moved: moved[0] };
}

export type ToAccept = Awaited<ReturnType<typeof loadToAccept>>;

/** Returns the email of the person who asked for these times on the page of another proposal. */
export const askerOf = ({ counterOf, otherEmail }: FoundProposal) => (counterOf === null ? undefined : otherEmail);

/** Newest first, or with `byExpiry` open ones, the next to expire on top. */
export async function listPlatformProposals(
  ctx: Ctx,
  { id: platformId }: PlatformRef,
  asked: ProposalFilter & PageRequest & { byExpiry?: boolean },
) {
  const placeOf = ({ createdAt, expiresAt, id }: FoundProposal) => ({ at: asked.byExpiry ? expiresAt : createdAt, id });
  const { rows, next } = await readPage({ ...asked, atOnce: AT_ONCE, placeOf }, (page) =>
    listProposals(ctx.db, { ...asked, platformId, ...page }),
  );
  return { proposals: await Promise.all(rows.map((row) => answerOf(ctx, row))), next };
}

/** Has the webhook deliveries about its end. Throws `proposal_not_found`, also for another platform's. */
export async function readProposalLife(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw errorOf('proposal_not_found');
  const {
    proposals: [proposal],
    deliveries,
  } = await batch(ctx.db, {
    proposals: selectProposal(ctx.db, { platformId, id }),
    deliveries: listDeliveriesOfProposal(ctx.db, { platformId, proposalId: id }),
  });
  if (proposal === undefined) throw errorOf('proposal_not_found');
  return { proposal: await answerOf(ctx, proposal), deliveries };
}

export type ProposalLife = Awaited<ReturnType<typeof readProposalLife>>;
