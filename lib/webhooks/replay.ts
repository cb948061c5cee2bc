import { replayDelivery as insertReplay, replayDeliveries } from '../../schema/delivery/deliveries-replay.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { readDelivery } from './delivery-log.ts';
import { readWebhook } from './endpoint.ts';
import { deliveryIdPrefix, publishDeliveries, publishDelivery } from './outbox.ts';

/** Keeps the event's id and bytes. Throws `delivery_not_found`, `delivery_in_progress` and `webhook_disabled`. */
export async function replayDelivery(ctx: Ctx, platformId: string, id: string) {
  const original = await readDelivery(ctx, platformId, id);
  const replay = { platformId, idPrefix: deliveryIdPrefix(platformId), now: ctx.clock.now() };
  const made = await insertReplay(ctx.db, { ...replay, id });
  if (made === undefined) {
    await mustBeEnabled(ctx, platformId);
    throw new AppError(
      'delivery_in_progress',
      'This webhook delivery is still in progress. Replay the delivery once GET /v1/platform/webhook/logs/{id} shows that the delivery succeeded or failed.',
    );
  }
  ctx.later(publishDelivery(ctx, made.id));
  return { deliveryId: made.id, eventId: original.eventId, replayOf: id };
}

/** Throws `webhook_not_configured` without an endpoint, and `webhook_disabled` for a disabled one. */
export async function mustBeEnabled(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<void> {
  const { enabled } = await readWebhook(ctx, platformId);
  if (!enabled)
    throw new AppError(
      'webhook_disabled',
      'The webhook is disabled. To enable the webhook, send `"enabled": true` with PUT /v1/platform/webhook.',
    );
}

export const MOST_AT_ONCE = 5_000;

/**
 * Repeats events whose first delivery was at or after a time, each once, at most 5,000, oldest first. `nextSince`
 * starts the next call. `status` selects by the newest delivery. Skips pending ones, which are on their way, and tests.
 * Throws `webhook_not_configured` and `webhook_disabled`.
 */
export async function replaySince(
  ctx: Ctx,
  platformId: string,
  { since, status }: { since: number; status?: 'success' | 'failed' | undefined },
): Promise<{ replayed: number; nextSince: number | undefined }> {
  await mustBeEnabled(ctx, platformId);
  const now = ctx.clock.now();
  const replay = { platformId, idPrefix: deliveryIdPrefix(platformId), now, limit: MOST_AT_ONCE };
  const made = await replayDeliveries(ctx.db, { ...replay, since, status });
  ctx.later(
    publishDeliveries(
      ctx,
      made.map(({ id }) => id),
    ),
  );
  return { replayed: made.length, nextSince: made.length < MOST_AT_ONCE ? undefined : made.at(-1)?.eventAt };
}
