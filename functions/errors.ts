import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError, type ErrorCode } from '../lib/errors.ts';
import type { AppEnv } from './env.ts';
import { createLog } from './log.ts';

/** Status and title of every failure. */
const TABLE: Record<
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
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  no_availability: { status: 409, title: 'No availability' },
  slot_unavailable: { status: 409, title: 'Slot unavailable' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
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

/** Turns any failure into its answer: nested on availability and scheduling paths, flat elsewhere. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const failure = asAppError(error, c);
  const { status, title } = TABLE[failure.code];
  const { field, email, retryAfterSeconds, body } = failure.details;
  const message = status === 500 ? `${failure.message} Request ${c.var.requestId}.` : failure.message;
  if (status === 500) logOf(c)('error', failure.code, { path: c.req.path, error: describe(failure.cause ?? failure) });
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  const facts = { ...(field === undefined ? {} : { field }), ...(email === undefined ? {} : { email }) };
  if (NESTED.test(c.req.path) && !ALWAYS_FLAT.includes(status))
    return c.json({ error: { code: failure.code, message, ...facts, ...body } }, status);
  return c.json({ error: title, message, ...facts, ...body }, status);
}

function asAppError(error: unknown, c: Context<AppEnv>): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new AppError('invalid_request', 'The body is not valid JSON.');
  logOf(c)('error', 'unexpected failure', { path: c.req.path, error: describe(error) });
  return new AppError('internal_error', 'Something went wrong on our side; a retry is safe.');
}

/** An environment that does not parse fails before there is a context. */
const logOf = (c: Context<AppEnv>) => c.var.ctx?.log ?? createLog(c.var.requestId);

function describe(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error && parts.length < 4; at = at.cause) parts.push(`${at.name}: ${at.message}`);
  return parts.length > 0 ? parts.join(' <- ').slice(0, 1_000) : String(error);
}
