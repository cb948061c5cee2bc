import { assertNumber, type CallOptions, sleep } from './call.ts';
import { BatchTimeoutError, JobTimeoutError } from './errors.ts';
import type { requestsOf } from './requests.ts';
import type { Batch, BatchResult, Job } from './types.ts';

export interface WaitOptions extends CallOptions {
  timeoutSeconds?: number | undefined;
}

export interface WaitForBatchOptions extends WaitOptions {
  /** Function that gets the batch after each poll, for example to draw its progress. */
  onProgress?: ((batch: Batch) => void) | undefined;
}

/** Largest page size that the API allows, so that reading a whole list takes the fewest requests. */
const LARGEST_PAGE = 200;
/** Default of the time for which the client waits for a job. */
export const JOB_SECONDS = 120;
const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS = 2_000;

/** Returns the client's methods that send several requests: to wait for something, or to read all pages of a list. */
export function waitingOf({ read }: Pick<ReturnType<typeof requestsOf>, 'read'>) {
  return { waitForJob, waitForBatch, listBatchMeetings };

  /** Polls a job until it ends. Returns a failed job too. Throws `JobTimeoutError` after 120 s or `timeoutSeconds`. */
  async function waitForJob(jobId: string, { timeoutSeconds = JOB_SECONDS, signal }: WaitOptions = {}): Promise<Job> {
    const job = await poll(
      () => read<Job>(`/v1/jobs/${encodeURIComponent(jobId)}`, undefined, { signal }),
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
      () => read<Batch>(`/v1/batches/${encodeURIComponent(batchId)}`, { limit: 1 }, { signal }),
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
  async function listBatchMeetings(batchId: string, options?: CallOptions): Promise<BatchResult[]> {
    const found: BatchResult[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: LARGEST_PAGE, cursor };
      const page: Batch = await read<Batch>(`/v1/batches/${encodeURIComponent(batchId)}`, query, options);
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
