/** Body of a webhook whose signature was verified. The form of `data` depends on `event_type`. */
export interface VerifiedEvent {
  /** All deliveries of the event have this ID, so a receiver can skip events it has already handled. */
  id: string;
  event_type: string;
  /** ISO 8601 time at which Tandem created this event. All deliveries of the event have it, replays included. */
  timestamp: string;
  platform_id: string;
  api_version: string;
  data: Record<string, unknown>;
}

/** `malformed` means that a header is missing or has an unknown format, or that the body is not an event. */
export type VerifyFailure = 'malformed' | 'timestamp_out_of_tolerance' | 'signature_mismatch';

export type Verified = { ok: true; event: VerifiedEvent } | { ok: false; reason: VerifyFailure };

export interface WebhookToVerify {
  /** Webhook secret with its `whsec_` prefix. To accept several secrets during a rotation, pass `secrets` instead. */
  secret?: string | undefined;
  secrets?: readonly (string | null | undefined)[] | undefined;
  /** Headers of the webhook request: a `Headers` object, or names and values as Node provides them. */
  headers: { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;
  /** Body exactly as it arrived. One that was parsed and serialized again no longer matches its signature. */
  body: string | Uint8Array | ArrayBuffer;
  /** Largest difference, in seconds, between the webhook's timestamp and now, in either direction. 300 by default. */
  toleranceSeconds?: number | undefined;
  /** Current time in epoch milliseconds, in place of the system clock. */
  now?: number | undefined;
}

/**
 * Verifies that a webhook comes from Tandem and is recent, and returns its event. For 24 hours after a rotation, a match
 * under a previous secret suffices. Needs only Web Crypto. Throws only without a webhook secret or for a parsed body.
 */
export async function verifyWebhook(input: WebhookToVerify): Promise<Verified> {
  const { secret, secrets: given = [secret], toleranceSeconds = 300, now = Date.now() } = input;
  const secrets = given.filter((one) => one != null);
  // A text such as "null" that stands for a missing secret is a key that everybody knows.
  if (secrets.length === 0 || !secrets.every((one) => typeof one === 'string' && one.length >= SHORTEST_SECRET))
    throw new TypeError('verifyWebhook needs the webhook secret. Pass it as `secret`.');
  if (!secrets.every((one) => /^[\w+/=-]+$/.test(one)))
    throw new TypeError(
      '`secret` has a character that is in no webhook secret, such as a blank, a quote or a line break. Copy the secret again.',
    );
  if (!(typeof input.body === 'string' || input.body instanceof ArrayBuffer || ArrayBuffer.isView(input.body)))
    throw new TypeError(
      'verifyWebhook needs the raw body of the request, as text or bytes. A parsed body no longer matches its signature: with Express, use express.raw({ type: "application/json" }) for this route.',
    );
  const signature = header(input.headers, 'x-service-signature');
  const timestamp = header(input.headers, 'x-service-timestamp');
  if (!DIGEST.test(signature) || !/^\d{1,12}$/.test(timestamp)) return failed('malformed');
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds)) return failed('timestamp_out_of_tolerance');

  const body = typeof input.body === 'string' ? new TextEncoder().encode(input.body) : new Uint8Array(input.body);
  const signed = new Uint8Array(await new Blob([`${timestamp}:`, body]).arrayBuffer());
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

const SHORTEST_SECRET = 32;
const DIGEST = /^[0-9a-f]{64}$/;
/** Largest number of digests under previous secrets in one delivery. */
const MOST_FORMER = 5;

const bytesOf = (hex: string): Bytes => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const failed = (reason: VerifyFailure): Verified => ({ ok: false, reason });

function header(headers: WebhookToVerify['headers'], name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

// Compares digests with `verify`, because it takes the same time for a wrong digest as for a right one.
async function isDigestOf(secret: string, digest: Bytes, signed: Bytes): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, digest, signed);
}

function parsed(body: Uint8Array): VerifiedEvent | undefined {
  try {
    const event: VerifiedEvent | null = JSON.parse(new TextDecoder().decode(body));
    return typeof event?.event_type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}
