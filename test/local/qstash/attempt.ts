import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Message } from './message.ts';

const TIMEOUT_MS = 120_000;

/** Result of a delivery attempt. Status 0 means that nobody answered. */
export interface Outcome {
  status: number;
  retryAfter?: string | null;
}

export type Deliver = (request: Request) => Promise<Response>;

/** Delivers a message once, signed, and waits for the answer. */
export async function attempt(
  message: Message,
  context: { deliver: Deliver; signingKey: string; now: number; aborted: AbortSignal },
): Promise<Outcome> {
  const headers = new Headers(message.headers);
  headers.set('user-agent', 'Upstash-QStash');
  // The local Worker compresses every answer for a caller that accepts it, which costs more than a short answer itself.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  headers.set('upstash-message-id', message.messageId);
  headers.set('upstash-retried', String(message.retried));
  headers.set('upstash-caller-ip', '127.0.0.1');
  headers.set('upstash-signature', signDelivery(context.signingKey, message.url, message.body, context.now));
  const ending = new AbortController();
  const end = () => ending.abort(context.aborted.reason);
  context.aborted.addEventListener('abort', end);
  if (context.aborted.aborted) end();
  const late = () => ending.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(late, TIMEOUT_MS).unref();
  const { signal } = ending;
  const body = message.method === 'GET' ? {} : { body: message.body };
  const request = new Request(message.url, { method: message.method, headers, signal, redirect: 'manual', ...body });
  try {
    const response = await Promise.race([context.deliver(request), rejection(signal)]);
    await response.bytes();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch {
    return { status: 0 };
  } finally {
    clearTimeout(timer);
    context.aborted.removeEventListener('abort', end);
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const LIFETIME_SECONDS = 300;

const encoded = (part: Record<string, unknown>) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Returns the `Upstash-Signature` of one delivery attempt: a JSON Web Token, signed with HMAC-SHA256. */
function signDelivery(key: string, url: string, body: Uint8Array, now: number): string {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: 'Upstash',
    sub: url,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    jti: `jwt_${randomUUID().replaceAll('-', '')}`,
    body: createHash('sha256').update(body).digest('base64url'),
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
