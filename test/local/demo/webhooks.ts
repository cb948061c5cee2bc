import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxDelivery } from '../inbox.ts';
import type { Caller } from './caller.ts';

const PATIENCE_MS = 15_000;

/** Waits for a webhook of this type whose body contains `about`. Throws if none arrives in 15 seconds. */
export async function awaitWebhook(world: Caller, type: string, about: string): Promise<InboxDelivery> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    const { deliveries } = await world.get<{ deliveries: InboxDelivery[] }>('/inbox');
    const found = deliveries.find((one) => one.headers['x-service-event'] === type && one.body_text.includes(about));
    if (found !== undefined) return found;
  }
  throw new Error(`No webhook ${type} about ${about} arrived.`);
}

/** Verifies a webhook as a receiver would: lowercase hex HMAC-SHA256 of `<timestamp>:<raw body>` under the secret. */
export function isSigned({ headers, body_text }: InboxDelivery, secret: string): boolean {
  const timestamp = headers['x-service-timestamp'] ?? '';
  const expected = createHmac('sha256', secret).update(`${timestamp}:${body_text}`).digest('hex');
  const given = headers['x-service-signature'] ?? '';
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
