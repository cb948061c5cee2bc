import { replayDeliveries } from '../../schema/deliveries/replay-queries.ts';
import type { Ctx } from '../context.ts';
import { deliveryIdPrefix } from './delivery-id.ts';
import { kickDeliveries } from './emit.ts';
import { mustBeEnabled } from './replay-delivery.ts';

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
    kickDeliveries(
      ctx,
      made.map(({ id }) => id),
    ),
  );
  return { replayed: made.length, nextSince: made.length < MOST_AT_ONCE ? undefined : made.at(-1)?.eventAt };
}
