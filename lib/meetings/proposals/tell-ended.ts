import { isUntold, listUntoldEnds, lockEnded, markEndTold } from '../../../schema/meetings/proposals-lost.ts';
import type { Ctx } from '../../kit/context.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEvent, publishDelivery } from '../../webhooks/outbox.ts';
import { eventOf } from './end.ts';
import { loadProposal } from './read.ts';

/** A person disconnected or was erased, or the platform was suspended. Platforms take turns. */
export const tellEndedProposals = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: 1,
    perTenant: 1,
    list: (line) => listUntoldEnds(ctx.db, { now: ctx.clock.now(), ...line }),
    tenantOf: ({ platformId }) => platformId,
    run: async ({ id, platformId }) => {
      const proposal = await loadProposal(ctx, { id: platformId }, id);
      const told = eventOf(proposal, { status: 'withdrawn' }, proposal.endedAt ?? ctx.clock.now());
      const event = insertEvent(ctx, { platformId, ...told, guard: isUntold({ id }) });
      const [, , marked] = await ctx.db.batch([
        lockEnded(ctx.db, { id }),
        event.statement,
        markEndTold(ctx.db, { id }),
      ]);
      if (marked.length > 0) ctx.later(publishDelivery(ctx, event.deliveryId));
    },
  });
