import { claimDelivery, closeDelivery, findNextAttempt } from '../../schema/deliveries/attempt-queries.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { DeliveryCtx } from './send-attempt.ts';

/**
 * Makes one attempt at a due delivery and sees to the next; nothing when it is done or in other hands. A delivery whose
 * platform has switched its endpoint off meanwhile ends without one. Answers the ms to wait when it is asked too early.
 */
export async function deliverWebhook(ctx: DeliveryCtx, deliveryId: string): Promise<number> {
  const now = ctx.clock.now();
  const [delivery] = await claimDelivery(ctx.db, { id: deliveryId, owner: ctx.ids.id('claim_'), now });
  if (delivery === undefined) {
    const nextAttemptAt = await findNextAttempt(ctx.db, { id: deliveryId, now });
    return nextAttemptAt === undefined ? 0 : nextAttemptAt - now;
  }
  if (delivery.enabled) await attemptDelivery(ctx, delivery);
  else await closeDelivery(ctx.db, { ...delivery, error: 'endpoint_disabled', finishedAt: ctx.clock.now() });
  return 0;
}
