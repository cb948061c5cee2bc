import type { Answers } from './types.ts';

export type ErrorCode = Answers['FlatError']['code'];

/** Details of an API error. The error's code decides which of them are set. */
export interface ErrorFacts {
  field?: string;
  /** Email address of the person that the error is about. */
  email?: string;
  /** Free times to book instead of the requested one, best first. Only with the code `slot_unavailable`. */
  alternatives?: Answers['Slot'][];
  /** ISO 8601 time at which the rate limit or quota resets. Only with HTTP status 429. */
  resets_at?: string;
  limit?: number;
  used?: number;
  request_id?: string;
  docs?: string;
}

/** Error thrown when Tandem answers a request with an error. */
export class TandemError extends Error {
  override readonly name = 'TandemError';
  /** HTTP status of the error answer. */
  readonly status: number;
  /** Error code from the errors page, or `unknown` if the answer did not come from Tandem. */
  readonly code: ErrorCode | 'unknown' | (string & {});
  readonly facts: ErrorFacts;
  /** Seconds to wait before a retry, from the answer's `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;
  /** ID of the failed request, to quote to support. */
  readonly request_id: string | undefined;

  constructor(
    message: string,
    of: Pick<TandemError, 'status' | 'code' | 'facts' | 'retryAfterSeconds'> & { request_id?: string | undefined },
  ) {
    super(message);
    this.status = of.status;
    this.code = of.code;
    this.facts = of.facts;
    this.retryAfterSeconds = of.retryAfterSeconds;
    this.request_id = of.request_id;
  }
}

/** Thrown if the network failed or `timeoutSeconds` ran out. The request may have taken effect. */
export class TandemConnectionError extends Error {
  override readonly name = 'TandemConnectionError';
}

/** Error of `waitForJob` when its time runs out. The job itself continues. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
  readonly jobId: string;

  constructor(jobId: string, seconds: number) {
    super(
      `Job ${jobId} is still processing after ${seconds} seconds. Call getJob later, or wait for the webhook event of the job.`,
    );
    this.jobId = jobId;
  }
}

/** Error of `waitForBatch` when its time runs out. The batch itself continues. */
export class BatchTimeoutError extends Error {
  override readonly name = 'BatchTimeoutError';
  readonly batchId: string;

  constructor(batchId: string, seconds: number) {
    super(
      `Batch ${batchId} is still being worked on after ${seconds} seconds. Call getBatch later, or wait for the webhook event \`batch.completed\`.`,
    );
    this.batchId = batchId;
  }
}

/** Reads both error formats of the API, and also accepts a proxy's answer in neither format. */
export function toTandemError({ status, headers }: Pick<Response, 'status' | 'headers'>, text: string): TandemError {
  const body = parsed(text);
  const nested = body?.error;
  const {
    code = 'unknown',
    message,
    ...facts
  } = (isRecord(nested) ? nested : (body ?? {})) as ErrorFacts & { code?: string; message?: string };
  const retryAfter = headers.get('retry-after');
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new TandemError(message ?? notOurs(status, body === undefined), {
    status,
    code,
    facts,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    request_id: facts.request_id ?? headers.get('x-request-id') ?? undefined,
  });
}

const notOurs = (status: number, isNoJson: boolean) =>
  `The server answered with status ${status} and ${isNoJson ? 'no JSON' : 'no error message'}. Check that \`baseUrl\` is the address of the Tandem API.`;

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
