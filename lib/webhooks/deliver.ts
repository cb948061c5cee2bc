import { type ClaimedDelivery, claimDelivery, recordAttempt } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import { kickDelivery } from './emit.ts';
import { RETRY_DELAYS_SECONDS } from './retry-delays.ts';
import { signatureHeaders } from './signature-headers.ts';
import { checkWebhookUrl } from './url-safety.ts';

/** The longest timeout an endpoint may have, and time to write down how it went. */
const LEASE_MS = 60_000;

/** Makes one attempt at a due delivery and sees to the next; nothing when it is done, early or in other hands. */
export async function deliverWebhook(ctx: Ctx, deliveryId: string): Promise<void> {
  const startedAt = ctx.clock.now();
  const owner = ctx.ids.id('claim_');
  const lease = { id: deliveryId, owner, now: startedAt, leaseUntil: startedAt + LEASE_MS };
  const delivery = await claimDelivery(ctx.db, lease);
  if (delivery === undefined) return;

  const answer = await attempt(ctx, delivery, startedAt);
  const number = delivery.attempts + 1;
  const done = { id: deliveryId, owner, number, startedAt, ...answer, error: answer.error ?? null };
  const finishedAt = ctx.clock.now();
  if (answer.code >= 200 && answer.code < 300) {
    await recordAttempt(ctx.db, { ...done, error: null, outcome: { status: 'success', finishedAt } });
    return;
  }
  const delaySeconds = RETRY_DELAYS_SECONDS[number - 1];
  if (delaySeconds === undefined || number >= delivery.maxAttempts) {
    await recordAttempt(ctx.db, { ...done, outcome: { status: 'failed', finishedAt } });
    return;
  }
  const nextAttemptAt = finishedAt + delaySeconds * 1_000;
  await recordAttempt(ctx.db, { ...done, outcome: { status: 'pending', nextAttemptAt } });
  await kickDelivery(ctx, deliveryId, delaySeconds);
}

async function attempt(ctx: Ctx, delivery: ClaimedDelivery, now: number): ReturnType<Ctx['sender']['post']> {
  const verdict = await checkWebhookUrl(ctx, delivery.url, { at: 'attempt' });
  if (!verdict.safe) return { code: 0, durationMs: 0, error: verdict.error };
  return ctx.sender.post({
    url: delivery.url,
    headers: await signatureHeaders(ctx.sealer, delivery, now),
    body: delivery.body,
    timeoutMs: delivery.timeoutSeconds * 1_000,
  });
}
