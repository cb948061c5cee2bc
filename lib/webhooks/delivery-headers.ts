import { hmac, hmacSha256 } from '../hmac.ts';

interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  body: string;
}

/** The secret in force, and the former ones that are still valid, newest first. */
export interface SigningSecrets {
  current: string;
  previous: readonly string[];
}

/**
 * The headers of one sending (`interface.md`, Events), signed with `secret`; the former secrets' digests stand beside. The
 * same again by Standard Webhooks 1.0, whose signatures are all in one list, and whose id is the event's, as a receiver knows a repetition by it.
 */
export async function deliveryHeaders(
  { id, eventId, eventType, body }: Delivery,
  { current, previous }: SigningSecrets,
  now: number,
  secret = current,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const sign = (key: string) => hmacSha256(key, `${timestamp}:${body}`);
  const signStandard = async (key: string) =>
    `v1,${base64(await hmac(keyBytes(key), `${eventId}.${timestamp}.${body}`))}`;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tandem-Webhooks/1.0',
    'X-Service-Signature': await sign(secret),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event': eventType,
    'X-Service-Delivery': id,
    ...(previous.length === 0
      ? {}
      : { 'X-Service-Signature-Previous': (await Promise.all(previous.map(sign))).join(',') }),
    'Webhook-Id': eventId,
    'Webhook-Timestamp': timestamp,
    'Webhook-Signature': (await Promise.all([current, ...previous].map(signStandard))).join(' '),
  };
}

const PREFIX = 'whsec_';

/** A new secret: 256 random bits in base64, as the libraries of Standard Webhooks decode it. */
export const newSecret = (ids: { secret(prefix: string): string }): string =>
  `${PREFIX}${ids.secret('').replaceAll('-', '+').replaceAll('_', '/')}=`;

/** The bytes a secret stands for by Standard Webhooks, from either alphabet of base64; throws where it is neither. */
export function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0);
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
