import { ERRORS } from '../../../schema/api/http-errors.ts';
import { findActivePlatform } from '../../../schema/platforms/queries.ts';
import { postponeProposal } from '../../../schema/proposals/accept-queries.ts';
import { listExpired } from '../../../schema/proposals/end-queries.ts';
import type { FoundProposal } from '../../../schema/proposals/list-queries.ts';
import { HOUR, MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { workOff } from '../../kit/work-off.ts';
import { ProposalTaken, SlotTaken } from '../operation.ts';
import { bookTime } from './accept.ts';
import { endAs } from './end.ts';
import { loadProposal } from './read.ts';

/** Time after the expiry for which a failed booking is tried again. */
const TRIED_FOR_MS = HOUR;

/**
 * Books the first time of expired proposals whose expiry does that (`on_expiry`), platforms in turn. If no time can be
 * booked, the proposal ends as expired.
 */
export const bookExpired = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: 1,
    perTenant: 1,
    list: (line) => listExpired(ctx.db, { now: ctx.clock.now(), onExpiry: 'book_first', ...line }),
    tenantOf: ({ platformId }) => platformId,
    run: ({ id, platformId }) => bookOrEnd(ctx, { id: platformId }, id),
  });

async function bookOrEnd(ctx: Ctx, platformRef: Pick<Platform, 'id'>, id: string): Promise<void> {
  const [platform, proposal] = await Promise.all([
    findActivePlatform(ctx.db, { platformId: platformRef.id }),
    loadProposal(ctx, platformRef, id),
  ]);
  const outcome = platform === undefined ? 'none_left' : await bookFirst(ctx, platform, proposal);
  const now = ctx.clock.now();
  if (outcome === 'done') return;
  if (outcome === 'may_pass' && now < proposal.expiresAt + TRIED_FOR_MS)
    await postponeProposal(ctx.db, { id, until: now + MINUTE });
  else await endAs(ctx, platformRef, proposal, { status: 'expired' });
}

/**
 * Books the first held time that is still free. Returns `done` if a time was booked or another request has the proposal,
 * `may_pass` after a failure that may pass, and `none_left` if no time can be booked.
 */
async function bookFirst(
  ctx: Ctx,
  platform: Platform,
  proposal: FoundProposal,
): Promise<'done' | 'may_pass' | 'none_left'> {
  for (const time of proposal.times) {
    if (time.status !== 'held' || time.start <= ctx.clock.now()) continue;
    try {
      await bookTime(ctx, platform, proposal, time, { atExpiry: true });
      return 'done';
    } catch (error) {
      if (error instanceof SlotTaken) continue;
      if (error instanceof ProposalTaken) return 'may_pass';
      if (error instanceof AppError && ERRORS[error.code].status !== 500) return 'none_left';
      ctx.log('warn', 'the first time of an expired proposal is not booked yet', { proposal_id: proposal.id, error });
      return 'may_pass';
    }
  }
  return 'none_left';
}
