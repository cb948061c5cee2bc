import { replayDelivery as insertReplay, replayDeliveries } from '../../schema/deliveries/replay-queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { readDelivery } from './delivery-log.ts';
import { readWebhook } from './endpoint.ts';
import { deliveryIdPrefix, publishDeliveries, publishDelivery } from './outbox.ts';

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
  ctx.later(publishDelivery(ctx, made.id));
  return { deliveryId: made.id, eventId: original.eventId, replayOf: id };
}

/** Throws `webhook_not_configured` or `webhook_disabled` for a platform whose endpoint takes nothing. */
export async function mustBeEnabled(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<void> {
  const { enabled } = await readWebhook(ctx, platformId);
  if (!enabled) throw new AppError('webhook_disabled', 'Enable the webhook first: PUT /v1/platform/webhook.');
}

const MOST_AT_ONCE = 5_000;

/**
 * Sends again every event first delivered since an instant, each once however often it was delivered, at most 5,000 a
 * call and the oldest first: `nextSince` is where the next call goes on. `status` chooses by how an event's newest
 * delivery ended; one that is pending is on its way already and test events are left out. Throws `webhook_not_configured`, `webhook_disabled`.
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
