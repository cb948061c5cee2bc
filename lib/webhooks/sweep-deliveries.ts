import { deleteOldDeliveries, forgetAsking, takeDue } from '../../schema/deliveries/sweep-queries.ts';
import type { Ctx } from '../context.ts';
import { kickDeliveries } from './emit.ts';

/** Deliveries of one sweep. */
const LIMIT = 1_000;
/** A message may wait this long in its lane before it is held to be lost. */
const ASK_AGAIN_MS = 5 * 60_000;
const KEPT_MS = 30 * 86_400_000;
const DELETED_AT_ONCE = 5_000;

/** Asks again for deliveries that are due and in nobody's hands; answers how many. */
export async function sweepDeliveries(ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>): Promise<number> {
  const now = ctx.clock.now();
  const ids = await takeDue(ctx.db, { now, askedBefore: now - ASK_AGAIN_MS, limit: LIMIT });
  const left = await kickDeliveries(ctx, ids);
  if (left.length > 0) await forgetAsking(ctx.db, left);
  return ids.length;
}

/** Deletes deliveries that have ended and are older than 30 days, a bounded number at a time; answers how many. */
export const pruneDeliveries = (ctx: Pick<Ctx, 'db' | 'clock'>): Promise<number> =>
  deleteOldDeliveries(ctx.db, { before: ctx.clock.now() - KEPT_MS, limit: DELETED_AT_ONCE });
