import type { FormerSecret } from '../../schema/webhook-endpoints/table.ts';
import { hmacSha256 } from '../keys.ts';
import type { Sealer } from '../ports.ts';
import { webhookSecretOf } from '../sealed-places.ts';

/** The secret in force, and the former ones that are still valid, newest first. */
export interface SigningSecrets {
  current: string;
  previous: string[];
}

interface SealedSecrets {
  platformId: string;
  secret: string;
  previousSecrets: FormerSecret[];
}

/** Opens an endpoint's secrets; throws when the one in force cannot be opened, and leaves out a former one that cannot. */
export async function openSecrets(sealer: Sealer, sealed: SealedSecrets, now: number): Promise<SigningSecrets> {
  const place = webhookSecretOf(sealed.platformId);
  const valid = sealed.previousSecrets.filter(({ validUntil }) => now < validUntil);
  const opened = await Promise.all(valid.map(({ secret }) => sealer.open(secret, place).catch(() => undefined)));
  return {
    current: await sealer.open(sealed.secret, place),
    previous: opened.filter((secret) => secret !== undefined),
  };
}

/** The headers of one sending (`interface.md`, Events), signed with `secret`; the former secrets' digests stand beside. */
export async function signatureHeaders(
  delivery: { id: string; eventType: string; body: string },
  { secret, previous }: { secret: string; previous: readonly string[] },
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const sign = (key: string) => hmacSha256(key, `${timestamp}:${delivery.body}`);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tandem-Webhooks/1.0',
    'X-Service-Signature': await sign(secret),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event': delivery.eventType,
    'X-Service-Delivery': delivery.id,
    ...(previous.length === 0
      ? {}
      : { 'X-Service-Signature-Previous': (await Promise.all(previous.map(sign))).join(',') }),
  };
}
