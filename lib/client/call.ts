import { TandemConnectionError, type TandemError, toTandemError } from './errors.ts';
import type { Answers } from './types.ts';

export interface ClientOptions {
  /** Secret key of a platform (`sk_live_…`) or API key of a user (`sk_user_…`). */
  apiKey: string;
  /** Base URL of the Tandem service, without a path. */
  baseUrl: string;
  /** Longest time that one attempt of a request may take, in seconds. 30 by default. */
  timeoutSeconds?: number | undefined;
  /** Largest number of retries of a request that can safely be retried. 3 by default. */
  retries?: number | undefined;
  /** Longest `Retry-After`, in seconds, that a retry waits for. 10 by default. A longer one is thrown. */
  maxRetryAfterSeconds?: number | undefined;
  /** Replacement for the global `fetch` function. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Tandem performs requests with this key only once within 24 hours. The client makes one if you pass none. */
  idempotencyKey?: string | undefined;
}

/** `by_key` retries because the request has an idempotency key. */
type Repeat = 'freely' | 'by_key' | 'never';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: object;
  body?: unknown;
  repeat: Repeat;
  options: WriteOptions | undefined;
}

export type Call = <Name extends keyof Answers>(request: Request) => Promise<Answers[Name]>;

export const TIMEOUT_SECONDS = 30;
export const RETRIES = 3;
export const MOST_RETRY_AFTER_SECONDS = 10;

/** After these certainly nothing was changed, so the client may repeat any request. */
const PASSING = ['rate_limited', 'idempotency_in_progress', 'meeting_busy'];

/**
 * Creates a function that sends API requests. It retries any request after a temporary error that changed nothing, and
 * after a lost answer or a server error only one that is safe to repeat. It waits for the answer's `Retry-After`, and gives up if that is over
 * `maxRetryAfterSeconds`. Without a `Retry-After` it waits a random 0.25 to 0.5 seconds before the first retry, and up to
 * twice as long before each further one. Throws a `TypeError` at once for options and arguments that no request could
 * be sent with. The error never contains the key.
 */
export function createCall({
  apiKey,
  baseUrl,
  timeoutSeconds = TIMEOUT_SECONDS,
  retries = RETRIES,
  maxRetryAfterSeconds = MOST_RETRY_AFTER_SECONDS,
  fetch: send = fetch,
}: ClientOptions): Call {
  const base = assertBase(baseUrl);
  if (!apiKey) throw new TypeError('createTandem needs an API key. Pass it as `apiKey`.');
  if (!/^[\w-]+$/.test(apiKey))
    throw new TypeError(
      '`apiKey` has a character that is in no API key, such as a blank, a quote or a line break. Copy the key again.',
    );
  if (typeof send !== 'function') throw new TypeError('`fetch` must be a function, as the global one is.');
  assertNumber('timeoutSeconds', timeoutSeconds, { least: 0.001, most: LONGEST_TIMEOUT_SECONDS });
  assertNumber('retries', retries, { least: 0, isWhole: true });
  assertNumber('maxRetryAfterSeconds', maxRetryAfterSeconds, { least: 0, most: LONGEST_TIMEOUT_SECONDS });

  return async (request) => {
    const { path, query, repeat, options } = request;
    // URLs resolve `.` and `..` before they are sent, so the request would ask for something else.
    if (/[/=](?:undefined|null|%5Bobject%20Object%5D|\.{1,2})?(?:\/|$)/.test(path))
      throw new TypeError('The first argument of the method must be an ID or an email address.');
    const init = initOf(apiKey, request);
    const url = `${base}${path}${search(query)}`;

    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(base, (signal) => send(url, { ...init, signal }), {
        ms: timeoutSeconds * 1_000,
        signal: options?.signal,
      });
      if ('answer' in outcome) return outcome.answer as never;
      const pause =
        attempt < retries ? pauseAfter(outcome.failure, { repeat, attempt, maxRetryAfterSeconds }) : undefined;
      if (pause === undefined) throw outcome.failure;
      await sleep(pause, options?.signal);
    }
  };
}

function initOf(apiKey: string, { method, body, repeat, options }: Request) {
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (repeat === 'by_key') headers['idempotency-key'] = keyOf(options?.idempotencyKey ?? crypto.randomUUID());
  return { method, headers, body: body === undefined ? null : JSON.stringify(body) };
}

/** Longest time that timers can wait. */
const LONGEST_TIMEOUT_SECONDS = 2_147_483;

function assertBase(baseUrl: string): string {
  const { protocol, username, search, hash, pathname } = new URL(URL.canParse(baseUrl) ? baseUrl : 'none:');
  const isPlain = username === '' && search === '' && hash === '' && !/\/v1\/?$/.test(pathname);
  if (['http:', 'https:'].includes(protocol) && isPlain) return baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  throw new TypeError(
    'createTandem needs the address of the Tandem service. Pass it as `baseUrl`, for example https://api.example.com.',
  );
}

/** Throws `TypeError` unless an option is a number within its limits. */
export function assertNumber(
  name: string,
  value: number,
  { least, most = Number.MAX_SAFE_INTEGER, isWhole = false }: { least: number; most?: number; isWhole?: boolean },
): void {
  if (typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))) return;
  throw new TypeError(`\`${name}\` must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
}

/** Checks an idempotency key, and puts one with a comma into quotes, because a comma joins the copies of a header. */
function keyOf(key: string): string {
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key) && key.trim() === key)
    return key.includes(',') && !key.includes('"') ? `"${key}"` : key;
  throw new TypeError('`idempotencyKey` must have 1 to 255 printable ASCII characters, without blanks around them.');
}

type Failure = TandemError | TandemConnectionError;

const CHECK = 'Check the address and your network, and try again.';
/** A page is told of a refused cross-origin call only that it failed, as if the network had. */
const BLOCKED = 'Browsers block calls from pages of another origin. Call Tandem from your server, which keeps the key.';

async function once(
  base: string,
  attempt: (signal: AbortSignal) => Promise<Response>,
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
): Promise<{ answer: unknown } | { failure: Failure }> {
  signal?.throwIfAborted();
  // `AbortSignal.any` is younger than Node 20.0.
  const ended = new AbortController();
  const stop = () => ended.abort(signal?.reason);
  const giveUp = () => ended.abort(new DOMException('The time for one attempt is over.', 'TimeoutError'));
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const response = await attempt(ended.signal);
    const text = await response.text();
    const answer = response.ok ? parsed(text) : undefined;
    return answer === undefined ? { failure: toTandemError(response, text) } : { answer };
  } catch (cause) {
    signal?.throwIfAborted();
    return {
      failure: new TandemConnectionError(
        `${base} could not be reached or did not answer in time. ${'document' in globalThis ? BLOCKED : CHECK}`,
        { cause },
      ),
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Undefined if it is no JSON, such as a proxy's page. Throws for JSON that was cut short, like a broken connection. */
function parsed(text: string): unknown {
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
}

/** Undefined if a retry is pointless or might perform the request twice. */
function pauseAfter(
  failure: Failure,
  { repeat, attempt, maxRetryAfterSeconds }: { repeat: Repeat; attempt: number; maxRetryAfterSeconds: number },
): number | undefined {
  const backoff = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (failure instanceof TandemConnectionError) return repeat === 'never' ? undefined : backoff;
  const { status, code, retryAfterSeconds } = failure;
  const passes = PASSING.includes(code) || (repeat !== 'never' && status >= 500);
  if (!passes) return undefined;
  if (retryAfterSeconds === undefined) return backoff;
  return retryAfterSeconds <= maxRetryAfterSeconds ? retryAfterSeconds * 1_000 : undefined;
}

function search(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** Waits `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
