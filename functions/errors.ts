import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError, type ErrorCode } from '../lib/errors.ts';
import type { AppEnv } from './env.ts';
import { createLog } from './log.ts';
import { slotBody } from './slot-body.ts';

/** Status and title of every failure. */
export const TABLE: Record<
  ErrorCode,
  { status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500; title: string }
> = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_attendees: { status: 400, title: 'Invalid attendees' },
  invalid_time: { status: 400, title: 'Invalid time' },
  invalid_duration: { status: 400, title: 'Invalid duration' },
  invalid_date_range: { status: 400, title: 'Invalid date range' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  user_not_found: { status: 404, title: 'User not found' },
  meeting_not_found: { status: 404, title: 'Meeting not found' },
  job_not_found: { status: 404, title: 'Job not found' },
  connection_not_found: { status: 404, title: 'Connection not found' },
  calendar_reconnect_required: { status: 404, title: 'Calendar must be connected again' },
  webhook_not_configured: { status: 404, title: 'Webhook not configured' },
  delivery_not_found: { status: 404, title: 'Delivery not found' },
  unknown_time_zone: { status: 409, title: 'Unknown time zone' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  no_availability: { status: 409, title: 'No availability' },
  slot_unavailable: { status: 409, title: 'Slot unavailable' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  delivery_in_progress: { status: 409, title: 'Delivery in progress' },
  secret_rotated: { status: 409, title: 'Secret rotated meanwhile' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
  meeting_busy: { status: 409, title: 'Meeting is being changed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  quota_exceeded: { status: 429, title: 'Monthly meeting limit reached' },
  too_many_regenerations: { status: 429, title: 'Too many regeneration attempts' },
  calendar_unavailable: { status: 500, title: 'Calendar unavailable' },
  calendar_refused: { status: 500, title: 'Calendar refused the change' },
  internal_error: { status: 500, title: 'Internal error' },
};

const NESTED = /^\/v1\/(?:availability|schedule|meetings|jobs)(?:\/|$)/;
const ALWAYS_FLAT = [401, 403, 429];
/** Whether a failure on this path is answered in the nested format. */
export const isNested = (path: string, status: number) => NESTED.test(path) && !ALWAYS_FLAT.includes(status);
/** Refusals of the moment, never kept. */
const PASSING: ErrorCode[] = ['idempotency_in_progress', 'meeting_busy'];

/** Turns any failure into its answer: nested on availability and scheduling paths, flat elsewhere. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const failure = asAppError(error, c);
  const { status } = TABLE[failure.code];
  const { retryAfterSeconds } = failure.details;
  if (status === 500) logOf(c)('error', failure.code, { path: c.req.path, error: describe(failure.cause ?? failure) });
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return c.json(errorBody(failure, c), status);
}

/** A refusal the operation itself decided, as it is kept under an idempotency key; undefined for any other failure. */
export function storableRefusal(error: unknown, c: Context<AppEnv>): { status: number; body: string } | undefined {
  if (!(error instanceof AppError) || PASSING.includes(error.code)) return undefined;
  const { status } = TABLE[error.code];
  return status === 404 || status === 409 ? { status, body: JSON.stringify(errorBody(error, c)) } : undefined;
}

function errorBody({ code, message: sentence, details }: AppError, c: Context<AppEnv>) {
  const { status, title } = TABLE[code];
  const { field, email, alternatives, body } = details;
  const message = status === 500 ? `${sentence} Request ${c.var.requestId}.` : sentence;
  const facts = {
    ...(field === undefined ? {} : { field }),
    ...(email === undefined ? {} : { email }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(slotBody) }),
    ...body,
  };
  return isNested(c.req.path, status) ? { error: { code, message, ...facts } } : { error: title, message, ...facts };
}

function asAppError(error: unknown, c: Context<AppEnv>): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new AppError('invalid_request', 'The body is not valid JSON.');
  logOf(c)('error', 'unexpected failure', { path: c.req.path, error: describe(error) });
  return new AppError(
    'internal_error',
    'Something went wrong on our side. Try again, with the same Idempotency-Key if you sent one.',
  );
}

/** An environment that does not parse fails before there is a context. */
const logOf = (c: Context<AppEnv>) => c.var.ctx?.log ?? createLog(c.var.requestId);

function describe(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) parts.push(`${at.name}: ${at.message}`);
  return parts.length > 0 ? parts.join(' <- ').slice(0, 1_000) : String(error);
}
