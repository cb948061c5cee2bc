import { listDueDeliveries } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import { kickDelivery } from './emit.ts';

const LIMIT = 100;

/** Asks again for deliveries that are due and in nobody's hands; answers how many. */
export async function sweepDeliveries(ctx: Ctx): Promise<number> {
  const ids = await listDueDeliveries(ctx.db, { now: ctx.clock.now(), limit: LIMIT });
  for (const id of ids) await kickDelivery(ctx, id);
  return ids.length;
}
