import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { AppError } from '../lib/errors.ts';
import { ERRORS, type ErrorCode, isNested } from '../schema/api/error-codes.ts';
import type { AppEnv } from './env.ts';
import { createLog } from './log.ts';
import { toSlotAnswer } from './slot-answer.ts';

/** Refusals of the moment, never kept. */
const PASSING: ErrorCode[] = ['idempotency_in_progress', 'meeting_busy'];

/** Turns any failure into its answer: nested on availability and scheduling paths, flat elsewhere. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const failure = takeFailure(error, c);
  return c.json(errorBody(failure, c), ERRORS[failure.code].status);
}

/** Any failure as an error of ours: with its header set, and logged when it is on our side. */
export function takeFailure(error: unknown, c: Context<AppEnv>): AppError {
  const failure = asAppError(error);
  const { retryAfterSeconds } = failure.details;
  if (ERRORS[failure.code].status === 500)
    logOf(c)('error', failure.code, { route: routePath(c, -1), error: failure.cause ?? failure });
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return failure;
}

/** A 409 the operation decided, as it is kept under an idempotency key; undefined for what the caller can mend and try again. */
export function storableRefusal(error: unknown, c: Context<AppEnv>): { status: number; body: string } | undefined {
  if (!(error instanceof AppError) || PASSING.includes(error.code)) return undefined;
  const { status } = ERRORS[error.code];
  return status === 409 ? { status, body: JSON.stringify(errorBody(error, c)) } : undefined;
}

function errorBody({ code, message: sentence, details }: AppError, c: Context<AppEnv>) {
  const { status, title } = ERRORS[code];
  const { field, email, alternatives, body } = details;
  const message = status === 500 ? `${sentence} Request ${c.var.requestId}.` : sentence;
  const facts = {
    ...(field === undefined ? {} : { field }),
    ...(email === undefined ? {} : { email }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(toSlotAnswer) }),
    ...body,
  };
  return isNested(c.req.path, status) ? { error: { code, message, ...facts } } : { error: title, message, ...facts };
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new AppError('invalid_request', 'The body is not valid JSON.');
  return new AppError(
    'internal_error',
    'Something went wrong on our side. Try again, with the same Idempotency-Key if you sent one.',
    {},
    error,
  );
}

/** An environment that does not parse fails before there is a context. */
const logOf = (c: Context<AppEnv>) => c.var.ctx?.log ?? createLog(c.var.requestId);
