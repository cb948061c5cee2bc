import type { ClaimedDelivery } from '../../schema/deliveries/queries.ts';
import { hmacSha256 } from '../keys.ts';
import type { Sealer } from '../ports.ts';

const REFUSED = [400, 401, 403];

/** The headers of one attempt; after a refusal during a rotation the old secret signs. */
export async function signatureHeaders(
  sealer: Sealer,
  delivery: ClaimedDelivery,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const sign = async (sealed: string) => hmacSha256(await sealer.open(sealed), `${timestamp}:${delivery.body}`);
  const overlap = delivery.previousValidUntil !== null && now < delivery.previousValidUntil;
  const previous = overlap && delivery.previousSecret !== null ? await sign(delivery.previousSecret) : undefined;
  const refused = delivery.attempts > 0 && REFUSED.includes(delivery.lastCode);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tandem-Webhooks/1.0',
    'X-Service-Signature': previous !== undefined && refused ? previous : await sign(delivery.secret),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event': delivery.eventType,
    'X-Service-Delivery': delivery.id,
    ...(previous === undefined ? {} : { 'X-Service-Signature-Previous': previous }),
  };
}
