import { type ClaimedDelivery, recordAttempt } from '../../schema/deliveries/attempt-queries.ts';
import { kickDelivery } from './emit.ts';
import { RETRY_DELAYS_SECONDS } from './retry-delays.ts';
import { type DeliveryCtx, sendAttempt } from './send-attempt.ts';

/**
 * Makes one attempt at a claimed delivery, writes it down and asks for the next if there is one. A crash before it is
 * written down leaves it uncounted, and the sweep has it made again: receivers get each event at least once.
 */
export async function attemptDelivery(ctx: DeliveryCtx, delivery: ClaimedDelivery): Promise<void> {
  const startedAt = ctx.clock.now();
  const { code, durationMs, error = null } = await sendAttempt(ctx, delivery);
  const { id, owner } = delivery;
  const number = delivery.attempts + 1;
  const made = { id, owner, number, startedAt, code, durationMs };
  const finishedAt = ctx.clock.now();
  if (code >= 200 && code < 300) {
    await recordAttempt(ctx.db, { ...made, error: null, outcome: { status: 'success', finishedAt } });
    return;
  }
  const delaySeconds = number < delivery.maxAttempts ? RETRY_DELAYS_SECONDS[number - 1] : undefined;
  if (delaySeconds === undefined) {
    await recordAttempt(ctx.db, { ...made, error, outcome: { status: 'failed', finishedAt } });
    return;
  }
  const nextAttemptAt = finishedAt + delaySeconds * 1_000;
  await recordAttempt(ctx.db, { ...made, error, outcome: { status: 'pending', nextAttemptAt } });
  await kickDelivery(ctx, id, delaySeconds);
}
