import { replayDelivery as insertReplay } from '../../schema/deliveries/replay-queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { deliveryIdPrefix } from './delivery-id.ts';
import { kickDelivery } from './emit.ts';
import { readDelivery } from './read-delivery.ts';
import { readWebhook } from './read-webhook.ts';

/**
 * Sends a delivery's event again, same id and same bytes, as a new delivery with its own attempts. Throws
 * `delivery_not_found`, `delivery_in_progress` while it is still being attempted, `webhook_disabled`.
 */
export async function replayDelivery(ctx: Ctx, platformId: string, id: string) {
  const original = await readDelivery(ctx, platformId, id);
  const replay = { platformId, idPrefix: deliveryIdPrefix(platformId), now: ctx.clock.now() };
  const made = await insertReplay(ctx.db, { ...replay, id });
  if (made === undefined) {
    await mustBeEnabled(ctx, platformId);
    throw new AppError('delivery_in_progress', 'This delivery is still being attempted; it needs no replay yet.');
  }
  ctx.later(kickDelivery(ctx, made.id));
  return { deliveryId: made.id, eventId: original.eventId, replayOf: id };
}

/** Throws `webhook_not_configured` or `webhook_disabled` for a platform whose endpoint takes nothing. */
export async function mustBeEnabled(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<void> {
  const { enabled } = await readWebhook(ctx, platformId);
  if (!enabled) throw new AppError('webhook_disabled', 'Enable the webhook first: PUT /v1/platform/webhook.');
}
