import { assertNumber, type Call, type CallOptions, type Request, sleep, type WriteOptions } from './call.ts';
import { BatchTimeoutError, JobTimeoutError } from './errors.ts';
import type { Answers, Bodies } from './types.ts';

type Schema = keyof Answers;
type Writing = Exclude<Request['method'], 'GET'>;
type Batch = Answers['Batch'];

/** Pagination options of a list request. Without `limit` the API returns the whole list. */
export interface Page {
  /** Page size, from 1 to 200. */
  limit?: number | undefined;
  /** Cursor for the next page: `pagination.next_cursor` of the previous page. */
  cursor?: string | null | undefined;
}

/** Returns one function for each kind of request. The kind decides if a request that got no answer is sent again. */
export function requestsOf(call: Call) {
  /** Sends a GET and retries it freely, because reading changes nothing. */
  const read = <Name extends Schema>(path: string, query?: object, options?: CallOptions) =>
    call<Name>({ method: 'GET', path, ...(query === undefined ? {} : { query }), repeat: 'freely', options });

  /** Sends a POST that changes nothing, or nothing more when it is repeated. Retries freely. */
  const post = <Name extends Schema>(
    path: string,
    body: unknown,
    { fresh, ...options }: CallOptions & { fresh?: boolean | undefined } = {},
  ) => call<Name>({ method: 'POST', path, query: { fresh }, body, repeat: 'freely', options });

  /** Retries under an `Idempotency-Key`, so that it takes effect only once. */
  const act = <Name extends Schema>(method: Writing, path: string, body: unknown, options?: WriteOptions) =>
    call<Name>({ method, path, body, repeat: 'by_key', options });

  /** Retries freely, because a second DELETE changes nothing. */
  const end = <Name extends Schema>(path: string, options?: CallOptions) =>
    call<Name>({ method: 'DELETE', path, body: undefined, repeat: 'freely', options });

  /** Retries only a PUT without a new URL, whose first answer alone has the webhook secret that it makes. */
  const change = <Name extends Schema>(method: Writing, path: string, body?: unknown, options?: CallOptions) =>
    call<Name>({ method, path, body, repeat: method === 'PUT' && !hasUrl(body) ? 'freely' : 'never', options });

  /** Retries only if the key that sends the request keeps working, because otherwise the retry gets 401. */
  const renew = <Name extends Schema>(path: string, body?: Bodies['KeyRequest'], options?: WriteOptions) =>
    call<Name>({
      method: 'POST',
      path,
      body,
      repeat: body?.keep_old_for_hours === undefined ? 'never' : 'by_key',
      options,
    });

  return { read, post, act, end, change, renew };
}

const hasUrl = (body: unknown) => Object.keys(body ?? {}).some((name) => name === 'url' || name === 'webhook_url');

export interface WaitOptions extends CallOptions {
  timeoutSeconds?: number | undefined;
}

export interface WaitForBatchOptions extends WaitOptions {
  /** Function that gets the batch after each poll, for example to draw its progress. */
  onProgress?: ((batch: Batch) => void) | undefined;
}

/** Largest page size that the API allows, so that reading a whole list takes the fewest requests. */
const LARGEST_PAGE = 200;
export const JOB_SECONDS = 120;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS = 2_000;

export function waitingOf({ read }: Pick<ReturnType<typeof requestsOf>, 'read'>) {
  return { waitForJob, waitForBatch, listBatchMeetings };

  /** Polls a job until it ends. Returns a failed job too. Throws `JobTimeoutError` after 120 s or `timeoutSeconds`. */
  async function waitForJob(
    jobId: string,
    { timeoutSeconds = JOB_SECONDS, signal }: WaitOptions = {},
  ): Promise<Answers['Job']> {
    const job = await poll(
      () => read<'Job'>(`/v1/jobs/${encodeURIComponent(jobId)}`, undefined, { signal }),
      ({ status }) => status !== 'processing',
      { timeoutSeconds, signal },
    );
    if (job === undefined) throw new JobTimeoutError(jobId, timeoutSeconds);
    return job;
  }

  /**
   * Polls a batch until its end, or until a dry run is `planned`. Throws `BatchTimeoutError` after `timeoutSeconds`,
   * 3,600 by default. The returned batch has a page of one meeting; read all with `listBatchMeetings`.
   */
  async function waitForBatch(
    batchId: string,
    { timeoutSeconds = 3_600, signal, onProgress }: WaitForBatchOptions = {},
  ): Promise<Batch> {
    const batch = await poll(
      () => read<'Batch'>(`/v1/batches/${encodeURIComponent(batchId)}`, { limit: 1 }, { signal }),
      (polled) => {
        onProgress?.(polled);
        return polled.status === 'planned' || polled.ended_at !== null;
      },
      { timeoutSeconds, signal },
    );
    if (batch === undefined) throw new BatchTimeoutError(batchId, timeoutSeconds);
    return batch;
  }

  /** Reads all meetings of a batch, in the order of the request, with one request for each 200 of them. */
  async function listBatchMeetings(batchId: string, options?: CallOptions): Promise<Answers['BatchResult'][]> {
    const found: Answers['BatchResult'][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: LARGEST_PAGE, cursor };
      const page: Batch = await read<'Batch'>(`/v1/batches/${encodeURIComponent(batchId)}`, query, options);
      found.push(...page.meetings);
      cursor = page.pagination.next_cursor;
    }
    return found;
  }
}

/** Repeats a request until `isLast` returns true for its answer. Returns undefined if the time runs out first. */
async function poll<Answer>(
  ask: () => Promise<Answer>,
  isLast: (answer: Answer) => boolean,
  { timeoutSeconds, signal }: { timeoutSeconds: number; signal: AbortSignal | undefined },
): Promise<Answer | undefined> {
  assertNumber('timeoutSeconds', timeoutSeconds, { least: 0 });
  const until = Date.now() + timeoutSeconds * 1_000;
  for (let pause = FIRST_PAUSE_MS; ; pause = PAUSE_MS) {
    const answer = await ask();
    if (isLast(answer)) return answer;
    if (Date.now() + pause > until) return undefined;
    await sleep(pause, signal);
  }
}
