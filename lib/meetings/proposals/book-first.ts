import { findActivePlatform } from '../../../schema/access/platforms.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import { postponeProposal } from '../../../schema/meetings/proposals-accept.ts';
import { listExpired } from '../../../schema/meetings/proposals-end.ts';
import type { FoundProposal } from '../../../schema/meetings/proposals-list.ts';
import { HOUR, MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, hasCode } from '../../kit/errors.ts';
import type { ListDue } from '../../kit/work-off.ts';
import { ProposalTaken, SlotTaken } from '../protocol/operation.ts';
import { bookTime } from './accept.ts';
import { endAs } from './end.ts';
import { loadToAccept, type ToAccept } from './read.ts';

const TRIED_FOR_MS = HOUR;

/** Serves `on_expiry` `book_first`. If no time can be booked, the proposal ends as expired. Platforms take turns. */
export const dueFirstTimes: ListDue = async (ctx, limit) => {
  const due = await listExpired(ctx.db, { now: ctx.clock.now(), onExpiry: 'book_first', limit, except: [] });
  return due.map(({ id, platformId }) => ({ platformId, run: () => bookOrEnd(ctx, { id: platformId }, id) }));
};

async function bookOrEnd(ctx: Ctx, platformRef: Pick<Platform, 'id'>, id: string): Promise<void> {
  const [platform, loaded] = await Promise.all([
    findActivePlatform(ctx.db, { platformId: platformRef.id }),
    loadToAccept(ctx, platformRef, id),
  ]);
  const { proposal } = loaded;
  const outcome = platform === undefined ? 'none_left' : await bookFirst(ctx, platform, loaded);
  const now = ctx.clock.now();
  if (outcome === 'done') return;
  if (outcome === 'may_pass' && now < proposal.expiresAt + TRIED_FOR_MS)
    await postponeProposal(ctx.db, { id, until: now + MINUTE });
  else await endAs(ctx, platformRef, proposal, { status: 'expired' });
}

/** `done` means that a time was booked or another request deals with the proposal, `may_pass` a temporary failure. */
async function bookFirst(ctx: Ctx, platform: Platform, loaded: ToAccept): Promise<'done' | 'may_pass' | 'none_left'> {
  const { proposal } = loaded;
  // A person who ended the access without an answer is not booked. A guest never connected, and gets an invitation.
  if (proposal.hasOtherLeft) return 'none_left';
  const hasBegun = () => proposal.movedStart !== null && proposal.movedStart <= ctx.clock.now();
  for (const time of proposal.times) {
    if (!proposal.isMeetingAsBefore || hasBegun()) break;
    if (time.status !== 'held' || time.start <= ctx.clock.now()) continue;
    try {
      await bookTime(ctx, platform, loaded, time, { atExpiry: true });
      return 'done';
    } catch (error) {
      if (error instanceof SlotTaken) continue;
      return afterFailure(ctx, proposal, error);
    }
  }
  return 'none_left';
}

function afterFailure(ctx: Ctx, { id }: FoundProposal, error: unknown) {
  if (error instanceof ProposalTaken || hasCode(error, 'meeting_busy', 'proposal_busy')) return 'may_pass';
  if (error instanceof AppError && ERRORS[error.code].status !== 500) return 'none_left';
  ctx.log('warn', 'the first time of an expired proposal is not booked yet', { proposal_id: id, error });
  return 'may_pass';
}
