import { hmac, hmacSha256 } from '../kit/hmac.ts';

type Delivery = { id: string; eventId: string; eventType: string; body: string };

/** A webhook endpoint's current signing secret, and the previous secrets that are still valid, newest first. */
export type SigningSecrets = { current: string; previous: readonly string[] };

/** Signs with `secret`, has digests under previous secrets, and the headers of Standard Webhooks 1.0. */
export async function deliveryHeaders(
  { id, eventId, eventType, body }: Delivery,
  { current, previous }: SigningSecrets,
  now: number,
  secret = current,
): Promise<Record<string, string>> {
  const timestamp = timestampOf(now);
  const sign = (key: string) => hmacSha256(key, `${timestamp}:${body}`);
  const signStandard = async (key: string) =>
    `v1,${base64(await hmac(keyBytes(key), `${eventId}.${timestamp}.${body}`))}`;
  return {
    ...unsignedHeaders({ id, eventId, eventType }, now),
    'X-Service-Signature': await sign(secret),
    ...(previous.length === 0
      ? {}
      : { 'X-Service-Signature-Previous': (await Promise.all(previous.map(sign))).join(',') }),
    'Webhook-Signature': (await Promise.all([current, ...previous].map(signStandard))).join(' '),
  };
}

const timestampOf = (now: number) => String(Math.floor(now / 1_000));

export const unsignedHeaders = ({ id, eventId, eventType }: Omit<Delivery, 'body'>, now: number) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': 'Tandem-Webhooks/1.0',
  'X-Service-Timestamp': timestampOf(now),
  'X-Service-Event': eventType,
  'X-Service-Delivery': id,
  'Webhook-Id': eventId,
  'Webhook-Timestamp': timestampOf(now),
});

const PREFIX = 'whsec_';

/** Creates a webhook signing secret of 256 random bits in base64, which Standard Webhooks libraries can decode. */
export const newSecret = (ids: { secret(prefix: string): string }): string =>
  `${PREFIX}${ids.secret('').replaceAll('-', '+').replaceAll('_', '/')}=`;

/** Takes either base64 alphabet, as Standard Webhooks does. Throws if the secret is not base64. */
export function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0);
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
