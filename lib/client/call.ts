import { TandemConnectionError, type TandemError, toTandemError } from './errors.ts';

export interface ClientOptions {
  /** A platform's secret key (`sk_live_…`), or a person's own (`sk_user_…`). */
  apiKey: string;
  /** Where Tandem runs, without a path. */
  baseUrl: string;
  /** Seconds an attempt may take; 30 by default. */
  timeoutSeconds?: number | undefined;
  /** How often a request that can safely be sent again is; 3 by default. */
  retries?: number | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Under the same key the same request is done once, for 24 hours; made up when there is none, so that retries are safe. */
  idempotencyKey?: string | undefined;
}

/** Whether a request may be sent again: without a thought, as its key keeps it from being done twice, or not at all. */
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

const LONGEST_PAUSE_SECONDS = 60;
/** Refused for now; nothing was done. */
const PASSING = ['rate_limited', 'idempotency_in_progress', 'meeting_busy'];

/**
 * Sends requests with the key, each attempt with its timeout, and again after what passes: no answer, 429, a failure on
 * the other side; after `Retry-After` where there is one of up to a minute, else after 0.5, 1, 2 … seconds.
 */
export function createCall({
  apiKey,
  baseUrl,
  timeoutSeconds = 30,
  retries = 3,
  fetch: send = fetch,
}: ClientOptions): Call {
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
      failure: new TandemConnectionError(`${base} could not be reached, or did not answer in time.`, { cause }),
    };
  }
}

/** Milliseconds until the next attempt; undefined where another makes no sense or might do twice what was asked once. */
function pauseAfter(failure: Failure, repeat: Repeat, attempt: number): number | undefined {
  const backoff = 500 * 2 ** attempt * (0.5 + Math.random() / 2);
  if (failure instanceof TandemConnectionError) return repeat === 'never' ? undefined : backoff;
  const { status, code, retryAfterSeconds } = failure;
  const passes = PASSING.includes(code) || (repeat !== 'never' && status >= 500 && code !== 'calendar_refused');
  if (!passes) return undefined;
  if (retryAfterSeconds === undefined) return backoff;
  return retryAfterSeconds <= LONGEST_PAUSE_SECONDS ? retryAfterSeconds * 1_000 : undefined;
}

function search(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** Ends early, with the signal's reason, when the caller gives up. */
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
