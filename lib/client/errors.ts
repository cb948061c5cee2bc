import type { FlatError, Slot } from './types.ts';

/** What a request can be refused with; the errors page explains each. */
export type ErrorCode = FlatError['code'];

/** What a refusal says beside its message; which of it is there depends on the code. */
export interface ErrorFacts {
  /** The offending field. */
  field?: string;
  /** The person it is about. */
  email?: string;
  /** Only with `slot_unavailable`: free times, best first. */
  alternatives?: Slot[];
  /** Only with 429: when the limit begins anew, ISO 8601. */
  resets_at?: string;
  limit?: number;
  used?: number;
  /** Names the request, for support. */
  request_id?: string;
  /** Where the code is explained. */
  docs?: string;
}

/** A request that Tandem answered with a refusal or a failure. */
export class TandemError extends Error {
  override readonly name = 'TandemError';
  /** The HTTP status. */
  readonly status: number;
  /** The code as the errors page lists it; `unknown` where the answer was not Tandem's. */
  readonly code: ErrorCode | 'unknown' | (string & {});
  readonly facts: ErrorFacts;
  /** The answer's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, of: Pick<TandemError, 'status' | 'code' | 'facts' | 'retryAfterSeconds'>) {
    super(message);
    this.status = of.status;
    this.code = of.code;
    this.facts = of.facts;
    this.retryAfterSeconds = of.retryAfterSeconds;
  }
}

/** No answer came: the network failed, or it took longer than `timeoutSeconds`. Whether the request was done is not known. */
export class TandemConnectionError extends Error {
  override readonly name = 'TandemConnectionError';
}

/** `waitForJob` ran out of patience; the job goes on. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
  readonly jobId: string;

  constructor(jobId: string, seconds: number) {
    super(`Job ${jobId} is still processing after ${seconds} seconds; ask again with getJob, or wait for its webhook.`);
    this.jobId = jobId;
  }
}

/** An answer outside 200-299 as an error; both of the API's formats, and whatever a proxy says in its place. */
export function toTandemError(status: number, text: string, retryAfter: string | null): TandemError {
  const body = parsed(text);
  const nested = body?.error;
  const {
    code = 'unknown',
    message,
    ...facts
  } = (isRecord(nested) ? nested : (body ?? {})) as ErrorFacts & {
    code?: string;
    message?: string;
  };
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  return new TandemError(message ?? `The answer was ${status} without a reason.`, {
    status,
    code,
    facts,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
