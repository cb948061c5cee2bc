import type { CallOptions, createCall, WriteOptions } from './call.ts';
import type { KeyRequest } from './types.ts';

/** Pagination options of a list request. Without `limit` the API returns the whole list. */
export interface Page {
  /** Page size, from 1 to 200. */
  limit?: number | undefined;
  /** Cursor for the next page: `pagination.next_cursor` of the previous page. */
  cursor?: string | null | undefined;
}

/** Returns one function for each kind of request. The kind decides if a request that got no answer is sent again. */
export function requestsOf(call: ReturnType<typeof createCall>) {
  /** Sends a GET and retries it freely, because reading changes nothing. */
  const read = <Answer>(path: string, query?: object, options?: CallOptions) =>
    call<Answer>({ method: 'GET', path, ...(query === undefined ? {} : { query }), repeat: 'freely', options });

  /** Sends a POST that only searches for times. Retries freely, because a search changes nothing. */
  const search = <Answer>(
    path: string,
    body: unknown,
    { fresh, ...options }: CallOptions & { fresh?: boolean | undefined } = {},
  ) => call<Answer>({ method: 'POST', path, query: { fresh }, body, repeat: 'freely', options });

  /** Retries under an `Idempotency-Key`, so that it takes effect only once. */
  const act = <Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown, options?: WriteOptions) =>
    call<Answer>({ method, path, body, repeat: 'by_key', options });

  /** Retries freely, because a second DELETE changes nothing. */
  const end = <Answer>(path: string, options?: CallOptions) =>
    call<Answer>({ method: 'DELETE', path, body: undefined, repeat: 'freely', options });

  /** Accepts or declines. Retries freely, because the same POST again changes nothing more. */
  const settle = <Answer>(path: string, body: unknown, options?: CallOptions) =>
    call<Answer>({ method: 'POST', path, body, repeat: 'freely', options });

  /** Retries only a PUT without a new URL, whose first answer alone has the webhook secret that it makes. */
  const change = <Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, options?: CallOptions) =>
    call<Answer>({ method, path, body, repeat: method === 'PUT' && !hasUrl(body) ? 'freely' : 'never', options });

  /** Retries only if the key that sends the request keeps working, because otherwise the retry gets 401. */
  const renew = <Answer>(path: string, body?: KeyRequest, options?: WriteOptions) =>
    call<Answer>({
      method: 'POST',
      path,
      body,
      repeat: body?.keep_old_for_hours === undefined ? 'never' : 'by_key',
      options,
    });

  return { read, search, act, end, settle, change, renew };
}

const hasUrl = (body: unknown) => Object.keys(body ?? {}).some((name) => name === 'url' || name === 'webhook_url');
