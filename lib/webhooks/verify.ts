/** A webhook's body once it is known to be genuine; `data` depends on `event_type`. */
export interface VerifiedEvent {
  /** The same for every delivery of this event, so that a receiver can drop what it has seen. */
  id: string;
  event_type: string;
  /** ISO 8601, when it happened. */
  timestamp: string;
  platform_id: string;
  api_version: string;
  data: Record<string, unknown>;
}

/** `malformed`: a header is missing or has another form, or the body is no event. */
export type VerifyFailure = 'malformed' | 'timestamp_out_of_tolerance' | 'signature_mismatch';

export type Verified = { ok: true; event: VerifiedEvent } | { ok: false; reason: VerifyFailure };

export interface WebhookToVerify {
  /** The webhook secret, `whsec_` included, or several of them while one replaces another. */
  secret?: string | undefined;
  secrets?: readonly string[] | undefined;
  /** A `Headers`, or names and values as Node gives them. */
  headers: { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;
  /** The body exactly as it arrived: parsed and serialised again, it no longer fits its signature. */
  body: string | Uint8Array | ArrayBuffer;
  /** How far the timestamp may be from now, either way; 300 by default. */
  toleranceSeconds?: number | undefined;
  /** Epoch milliseconds. */
  now?: number | undefined;
}

/**
 * Whether a webhook comes from Tandem and is recent, and the event if so (interface.md, "Signature rule"). For 24 hours
 * after a rotation `X-Service-Signature-Previous` carries the digests under the former secrets: one of those will do too.
 * It needs nothing but Web Crypto: Node, Deno, Bun, Workers, browsers. Throws only when no secret is given.
 */
export async function verifyWebhook(input: WebhookToVerify): Promise<Verified> {
  const { secret, secrets = secret === undefined ? [] : [secret], toleranceSeconds = 300, now = Date.now() } = input;
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('verifyWebhook needs the webhook secret');
  const signature = header(input.headers, 'x-service-signature');
  const timestamp = header(input.headers, 'x-service-timestamp');
  if (!DIGEST.test(signature) || !/^\d{1,12}$/.test(timestamp)) return failed('malformed');
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds)) return failed('timestamp_out_of_tolerance');

  const body = typeof input.body === 'string' ? new TextEncoder().encode(input.body) : new Uint8Array(input.body);
  const signed = concat(new TextEncoder().encode(`${timestamp}:`), body);
  const former = header(input.headers, 'x-service-signature-previous').split(',', MOST_FORMER);
  const digests = [signature, ...former.map((text) => text.trim()).filter((text) => DIGEST.test(text))].map(bytesOf);
  const verdicts = await Promise.all(
    secrets.flatMap((one) => digests.map((digest) => isDigestOf(one, digest, signed))),
  );
  if (!verdicts.includes(true)) return failed('signature_mismatch');
  const event = parsed(body);
  return event === undefined ? failed('malformed') : { ok: true, event };
}

type Bytes = Uint8Array<ArrayBuffer>;

const DIGEST = /^[0-9a-f]{64}$/;
/** Digests under former secrets that a delivery carries at most. */
const MOST_FORMER = 5;

const bytesOf = (hex: string): Bytes => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const failed = (reason: VerifyFailure): Verified => ({ ok: false, reason });

function header(headers: WebhookToVerify['headers'], name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

// `verify` compares in constant time.
async function isDigestOf(secret: string, digest: Bytes, signed: Bytes): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, digest, signed);
}

function concat(head: Uint8Array, tail: Uint8Array): Bytes {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function parsed(body: Uint8Array): VerifiedEvent | undefined {
  try {
    const event: VerifiedEvent | null = JSON.parse(new TextDecoder().decode(body));
    return typeof event?.event_type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}
