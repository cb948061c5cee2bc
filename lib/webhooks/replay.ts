import type { DeliveryFilter } from '../../schema/delivery/deliveries-log.ts';
import * as replayRows from '../../schema/delivery/deliveries-redeliver.ts';
import { TEST_EVENT_ID } from '../../schema/tables/deliveries.ts';
import { HOUR } from '../engine/time/dates.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, errorOf, invalid, waitOf } from '../kit/errors.ts';
import { readDelivery } from './delivery-log.ts';
import { readWebhook } from './endpoint.ts';
import { deliveryIdPrefix, isDeliveryId, publishDeliveries, publishDelivery } from './outbox.ts';

export const MOST_SELECTED = 100;
export const MOST_RESENT = 500;

export type Resent = Awaited<ReturnType<typeof resendSelected>>;

/** Skips those not their event's newest, pending or tests. Throws `invalid_request` and what `mustBeEnabled` does. */
export async function resendSelected(ctx: Ctx, platformId: string, selection: readonly string[]) {
  const ids = [...new Set(selection)];
  const refuse = (message: string) => invalid('id', message);
  if (ids.length === 0) throw refuse('Select at least one delivery. Nothing was sent.');
  if (ids.length > MOST_SELECTED) throw refuse(`Select at most ${MOST_SELECTED} deliveries. Nothing was sent.`);
  if (!ids.every(isDeliveryId)) throw refuse('The selection has an ID that no delivery can have. Nothing was sent.');
  await mustBeEnabled(ctx, platformId);
  const replay = replayOf(ctx, platformId);
  const made = await replayRows.replaySelected(ctx.db, { ...replay, ids });
  const replays = made.map(({ id }) => id);
  await publishReplays(ctx, platformId, replays);
  const sent = new Set(made.map(({ replayOf }) => replayOf));
  const left = ids.filter((id) => !sent.has(id));
  const states = left.length === 0 ? [] : await replayRows.listReplayStates(ctx.db, { platformId, ids: left });
  const tests = states.filter(({ eventId }) => eventId.startsWith(TEST_EVENT_ID)).length;
  const newer = states.filter(({ eventId, eventAt }) => eventAt === null && !eventId.startsWith(TEST_EVENT_ID)).length;
  const ended = states.filter(({ status, eventAt }) => status !== 'pending' && eventAt !== null).length;
  const isUsedUp = ended > 0 && (await replayRows.countReplays(ctx.db, replay)).used >= REPLAYS_PER_HOUR;
  const over = isUsedUp ? ended : 0;
  return {
    selected: ids.length,
    sent: made.length,
    /** Deliveries whose event has a newer delivery, so that sending them would send the event twice. */
    newer,
    tests,
    /** Deliveries that the platform can have sent again only later, because an hour has a limit. */
    over,
    // The rest was in progress when the others were chosen, even if it has ended since.
    pending: states.length - tests - newer - over,
    gone: left.length - states.length,
  };
}

/** Sends at most 500, oldest first. Throws `webhook_not_configured`, `webhook_disabled` and `rate_limited`. */
export async function resendUndelivered(ctx: Ctx, filter: DeliveryFilter): Promise<number> {
  const { platformId } = filter;
  await mustBeEnabled(ctx, platformId);
  const made = await replayRows.replayUndelivered(ctx.db, { ...replayOf(ctx, platformId), filter, limit: MOST_RESENT });
  await publishReplays(ctx, platformId, made);
  return made.length;
}

/** One small request copies thousands of events, so the limit of requests does not limit them. */
export const REPLAYS_PER_HOUR = 10_000;

export const replayOf = (ctx: Ctx, platformId: string) => ({
  ...{ platformId, idPrefix: deliveryIdPrefix(platformId), now: ctx.clock.now() },
  perHour: REPLAYS_PER_HOUR,
});

/** Throws `rate_limited` if there are none and no replays are left for now. */
export async function publishReplays(ctx: Ctx, platformId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) await mustHaveReplays(ctx, platformId);
  ctx.later(publishDeliveries(ctx, ids));
}

/** Follows a replay that sent nothing. Throws `rate_limited` if no replays are left for now. */
async function mustHaveReplays(ctx: Ctx, platformId: string): Promise<void> {
  const { now, perHour: limit } = replayOf(ctx, platformId);
  const { used, oldest } = await replayRows.countReplays(ctx.db, { platformId, now });
  if (used < limit) return;
  const resetsAt = oldest + HOUR;
  const retryAfterSeconds = (resetsAt - now) / 1_000;
  throw new AppError(
    'rate_limited',
    `Nothing was sent. You can have at most ${limit.toLocaleString('en')} webhook events sent again per hour. Try again ${waitOf(retryAfterSeconds)}.`,
    { retryAfterSeconds, usage: { limit, used, resetsAt } },
  );
}

/** Throws `delivery_not_found`, `delivery_in_progress`, `webhook_disabled` and `rate_limited`. */
export async function replayDelivery(ctx: Ctx, platformId: string, id: string) {
  const original = await readDelivery(ctx, platformId, id);
  const made = await replayRows.replayDelivery(ctx.db, { ...replayOf(ctx, platformId), id });
  if (made === undefined) {
    await mustBeEnabled(ctx, platformId);
    await mustHaveReplays(ctx, platformId);
    throw errorOf('delivery_in_progress');
  }
  ctx.later(publishDelivery(ctx, made.id));
  return { deliveryId: made.id, eventId: original.eventId, replayOf: id };
}

/** Throws `webhook_not_configured` without an endpoint, and `webhook_disabled` for a disabled one. */
export async function mustBeEnabled(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<void> {
  const { enabled } = await readWebhook(ctx, platformId);
  if (!enabled) throw errorOf('webhook_disabled');
}

export const MOST_AT_ONCE = 5_000;

/**
 * Repeats events whose first delivery was at or after a time, each once, at most 5,000, oldest first. `nextSince`
 * starts the next call. `status` selects by the newest delivery. Skips pending ones, which are on their way, and tests.
 * Throws `webhook_not_configured`, `webhook_disabled` and `rate_limited`.
 */
export async function replaySince(
  ctx: Ctx,
  platformId: string,
  { since, status }: { since: number; status?: 'success' | 'failed' | undefined },
): Promise<{ replayed: number; nextSince: number | undefined }> {
  await mustBeEnabled(ctx, platformId);
  const asked = { ...replayOf(ctx, platformId), limit: MOST_AT_ONCE, since, status };
  const { made, left } = await replayRows.replayDeliveries(ctx.db, asked);
  const ids = made.map(({ id }) => id);
  await publishReplays(ctx, platformId, ids);
  return {
    replayed: made.length,
    nextSince: made.length < Math.min(MOST_AT_ONCE, left) ? undefined : made.at(-1)?.eventAt,
  };
}
