import type { ClaimedDelivery } from '../../schema/deliveries/attempt-queries.ts';
import type { Ctx } from '../context.ts';
import { openSecrets, type SigningSecrets, signatureHeaders } from './signature-headers.ts';
import { checkWebhookUrl } from './url-safety.ts';

/** What a delivery needs. */
export type DeliveryCtx = Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'queue' | 'sender' | 'dns' | 'log' | 'config'>;

type Answer = Awaited<ReturnType<Ctx['sender']['post']>>;

/** A receiver that does not know the secret answers with one of these. */
const REFUSALS = [400, 401, 403];

const nothingSent = (error: string): Answer => ({ code: 0, durationMs: 0, error });

/**
 * One attempt, freshly signed. While a former secret is valid, a receiver that refuses the new one is asked again at
 * once under the former; the answer is the last one's, the time that of both.
 */
export async function sendAttempt(ctx: DeliveryCtx, delivery: ClaimedDelivery): Promise<Answer> {
  const verdict = await checkWebhookUrl(ctx, delivery.url, { at: 'attempt' });
  if (!verdict.safe) return nothingSent(verdict.error);
  let secrets: SigningSecrets;
  try {
    secrets = await openSecrets(ctx.sealer, delivery, ctx.clock.now());
  } catch (error) {
    ctx.log('error', 'a webhook secret cannot be opened', { platform_id: delivery.platformId, error: String(error) });
    return nothingSent('secret_unreadable');
  }
  const { current, previous } = secrets;
  const first = await post(ctx, delivery, { secret: current, previous });
  if (previous === undefined || !REFUSALS.includes(first.code)) return first;
  const second = await post(ctx, delivery, { secret: previous, previous });
  return { ...second, durationMs: first.durationMs + second.durationMs };
}

async function post(ctx: DeliveryCtx, delivery: ClaimedDelivery, keys: Parameters<typeof signatureHeaders>[1]) {
  const headers = await signatureHeaders(delivery, keys, ctx.clock.now());
  const { url, body, timeoutSeconds } = delivery;
  return ctx.sender.post({ url, headers, body, timeoutMs: timeoutSeconds * 1_000 });
}
