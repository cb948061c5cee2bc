import { TandemConnectionError, type TandemError, toTandemError } from './errors.ts';

export interface ClientOptions {
  /** Secret key of a platform (`sk_live_…`) or API key of a user (`sk_user_…`). */
  apiKey: string;
  /** Base URL of the Tandem service, without a path. */
  baseUrl: string;
  /** Longest time that one attempt of a request may take, in seconds. 30 by default. */
  timeoutSeconds?: number | undefined;
  /** Largest number of retries of a request that can safely be retried. 3 by default. */
  retries?: number | undefined;
  /** Replacement for the global `fetch` function. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Key under which Tandem performs a request only once within 24 hours. The client generates one if you pass none, so
   * that its retries are safe.
   */
  idempotencyKey?: string | undefined;
}

/**
 * Rule for retrying a request: always safe to retry (`freely`), safe because the request has an idempotency key
 * (`by_key`), or `never` safe.
 */
type Repeat = 'freely' | 'by_key' | 'never';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: object;
  body?: unknown;
  repeat: Repeat;
  options: WriteOptions | undefined;
}

export type Call = <Answer>(request: Request) => Promise<Answer>;

/** Defaults of the options. */
export const TIMEOUT_SECONDS = 30;
export const RETRIES = 3;
const LONGEST_PAUSE_SECONDS = 60;
/**
 * Codes of temporary API errors after which certainly nothing was changed, so that the client may repeat any request.
 */
const PASSING = ['rate_limited', 'idempotency_in_progress', 'meeting_busy'];

/**
 * Creates a function that sends API requests with the secret key and a timeout for each attempt. It retries any request
 * after a temporary error that changed nothing, such as `rate_limited`. After a lost answer or a server error it
 * retries only a request that is safe to repeat. It waits for the answer's `Retry-After`, and gives up if that is over
 * a minute. Without a `Retry-After` it waits a random 0.25 to 0.5 seconds before the first retry, and up to twice as
 * long before each further one.
 */
export function createCall({
  apiKey,
  baseUrl,
  timeoutSeconds = TIMEOUT_SECONDS,
  retries = RETRIES,
  fetch: send = fetch,
}: ClientOptions): Call {
  if (!URL.canParse(baseUrl))
    throw new TypeError(
      'createTandem needs the address of the Tandem service. Pass it as `baseUrl`, for example https://api.example.com.',
    );
  if (!apiKey) throw new TypeError('createTandem needs an API key. Pass it as `apiKey`.');
  const base = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;

  return async ({ method, path, query, body, repeat, options }) => {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (repeat === 'by_key') headers['idempotency-key'] = options?.idempotencyKey ?? crypto.randomUUID();
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const url = `${base}${path}${search(query)}`;

    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(
        base,
        () => send(url, { ...init, signal: signalOf(options?.signal) }),
        options?.signal,
      );
      if ('answer' in outcome) return outcome.answer as never;
      const pause = attempt < retries ? pauseAfter(outcome.failure, repeat, attempt) : undefined;
      if (pause === undefined) throw outcome.failure;
      await sleep(pause, options?.signal);
    }
  };

  function signalOf(signal: AbortSignal | undefined): AbortSignal {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }
}

type Failure = TandemError | TandemConnectionError;

async function once(
  base: string,
  attempt: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<{ answer: unknown } | { failure: Failure }> {
  try {
    const response = await attempt();
    const text = await response.text();
    if (response.ok) return { answer: JSON.parse(text) };
    return { failure: toTandemError(response.status, text, response.headers.get('retry-after')) };
  } catch (cause) {
    signal?.throwIfAborted();
    return {
      failure: new TandemConnectionError(
        `${base} could not be reached or did not answer in time. Check the address and your network, and try again.`,
        { cause },
      ),
    };
  }
}

/**
 * Returns the milliseconds to wait before a request's next attempt. Returns undefined if a retry is pointless or might
 * perform the request twice.
 */
function pauseAfter(failure: Failure, repeat: Repeat, attempt: number): number | undefined {
  const backoff = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (failure instanceof TandemConnectionError) return repeat === 'never' ? undefined : backoff;
  const { status, code, retryAfterSeconds } = failure;
  const passes = PASSING.includes(code) || (repeat !== 'never' && status >= 500);
  if (!passes) return undefined;
  if (retryAfterSeconds === undefined) return backoff;
  return retryAfterSeconds <= LONGEST_PAUSE_SECONDS ? retryAfterSeconds * 1_000 : undefined;
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
