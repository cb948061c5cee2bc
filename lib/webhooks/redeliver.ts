import { listRedeliveriesDue, redeliverNext } from '../../schema/delivery/deliveries-redeliver.ts';
import type { Ctx } from '../kit/context.ts';
import { deliveryIdPrefix, publishDelivery } from './outbox.ts';

type RedeliverCtx = Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>;

/** Largest number of platforms that one query of the background sweep lists. */
const AT_ONCE = 50;

/**
 * Sends again the event that a platform's endpoint is due for, in a new delivery. Each of these deliveries leads to the
 * next when it arrives, so the events come in order.
 */
export async function redeliver(ctx: RedeliverCtx, platformId: string): Promise<void> {
  const replay = { platformId, idPrefix: deliveryIdPrefix(platformId), now: ctx.clock.now() };
  const id = await redeliverNext(ctx.db, replay);
  if (id !== undefined) await publishDelivery(ctx, id);
}

/**
 * Sends again what is due to endpoints that failed, one event for each, until none is left or time runs out. A platform
 * with very many failed events costs no more than one with a single event.
 */
export async function sweepRedeliveries(ctx: RedeliverCtx, until: number): Promise<void> {
  for (let now = ctx.clock.now(); now < until; now = ctx.clock.now()) {
    const due = await listRedeliveriesDue(ctx.db, { now, limit: AT_ONCE });
    for (const platformId of due) if (ctx.clock.now() < until) await redeliver(ctx, platformId);
    if (due.length < AT_ONCE) return;
  }
}
