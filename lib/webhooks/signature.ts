import { hmacSha256 } from '../keys.ts';
import type { Sealer } from '../ports.ts';

/** The secret in force, and the former one while it is still valid. */
export interface SigningSecrets {
  current: string;
  previous: string | undefined;
}

interface SealedSecrets {
  secret: string;
  previousSecret: string | null;
  previousValidUntil: number | null;
}

/** Opens an endpoint's secrets; throws when the one in force cannot be opened. */
export async function openSecrets(sealer: Sealer, sealed: SealedSecrets, now: number): Promise<SigningSecrets> {
  const { secret, previousSecret, previousValidUntil } = sealed;
  const inOverlap = previousSecret !== null && previousValidUntil !== null && now < previousValidUntil;
  return {
    current: await sealer.open(secret),
    previous: inOverlap ? await sealer.open(previousSecret).catch(() => undefined) : undefined,
  };
}

/** The headers of one sending (`interface.md`, Events), signed with `secret`; a former secret's digest stands beside. */
export async function signatureHeaders(
  delivery: { id: string; eventType: string; body: string },
  { secret, previous }: { secret: string; previous: string | undefined },
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
    ...(previous === undefined ? {} : { 'X-Service-Signature-Previous': await sign(previous) }),
  };
}
