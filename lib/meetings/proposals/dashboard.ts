import { batch } from '../../../schema/db.ts';
import { listDeliveriesOfProposal } from '../../../schema/delivery/deliveries-log.ts';
import { listOpenProposals, type ProposalFilter, selectProposal } from '../../../schema/meetings/proposals-list.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { proposalNotFound } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { type PageRequest, readPage, rowsToAsk } from '../../kit/read-page.ts';
import { answerOf, listPlatformProposals } from './read.ts';

const AT_ONCE = 200;

/** Open ones come first, the next to expire on top, and then all others, newest first. */
export async function listDashboardProposals(
  ctx: Ctx,
  platform: PlatformRef,
  { status, email, limit, after }: ProposalFilter & PageRequest,
) {
  if (status !== 'open') return listPlatformProposals(ctx, platform, { status, email, limit, after });
  const of = { email, platformId: platform.id };
  const first = await listOpenProposals(ctx.db, { ...of, limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after });
  const placeOf = ({ expiresAt, id }: (typeof first)[number]) => ({ at: expiresAt, id });
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    listOpenProposals(ctx.db, { ...of, limit: more, after: placeOf(last) }),
  );
  return { proposals: await Promise.all(rows.map((row) => answerOf(ctx, row))), next: next && placeOf(next) };
}

/** Has the webhook deliveries about its end. Throws `proposal_not_found`, also for another platform's. */
export async function readProposalLife(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw proposalNotFound();
  const {
    proposals: [proposal],
    deliveries,
  } = await batch(ctx.db, {
    proposals: selectProposal(ctx.db, { platformId, id }),
    deliveries: listDeliveriesOfProposal(ctx.db, { platformId, proposalId: id }),
  });
  if (proposal === undefined) throw proposalNotFound();
  return { proposal: await answerOf(ctx, proposal), deliveries };
}

export type ProposalLife = Awaited<ReturnType<typeof readProposalLife>>;
