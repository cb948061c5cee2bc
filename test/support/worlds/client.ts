import { randomBytes } from 'node:crypto';
import { remember } from '../checks/words.ts';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

/** Returns an IP address that nobody else calls from. */
export const freshAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;

/**
 * Creates a client whose methods are named as in the API and which calls from an address of its own. It checks nothing
 * and returns the whole answer.
 */
export function createClient(baseUrl: string, key?: string) {
  const address = freshAddress();

  async function send(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers(options.headers);
    if (key !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
    if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', address);
    // The local Worker compresses every answer for a caller that accepts it, which costs more than a short answer itself.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    remember(body);
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
      signal: options.signal ?? null,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  return {
    send,
    health: () => send('GET', '/health'),
    availability: (body: unknown, options?: CallOptions) => send('POST', '/v1/availability', body, options),
    schedule: (body: unknown, options?: CallOptions) => send('POST', '/v1/schedule', body, options),
    calendars: () => send('GET', '/v1/calendars'),
    disconnect: (email: string) => send('DELETE', `/v1/calendars/${encodeURIComponent(email)}`),
    status: (email: string) => send('GET', `/v1/users/${encodeURIComponent(email)}/status`),
    oauthUrl: (email: string) => send('GET', `/v1/platform/oauth-url?user_email=${encodeURIComponent(email)}`),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
