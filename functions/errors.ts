import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { AppError } from '../lib/errors.ts';
import {
  ERRORS,
  ERRORS_PATH,
  type ErrorCode,
  type FlatError,
  isNested,
  type NestedError,
} from '../schema/api/http-errors.ts';
import type { AppEnv } from './env.ts';
import { createLog } from './log.ts';
import { toSlotAnswer } from './slot-answer.ts';

/** Refusals of the moment, never kept. */
const PASSING: ErrorCode[] = ['idempotency_in_progress', 'meeting_busy'];
const ABOUT_PEOPLE: ErrorCode[] = ['user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];

/** Turns any failure into its answer: nested on availability and scheduling paths, flat elsewhere. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const failure = takeFailure(error, c);
  // An answer that was about to be given again is not.
  c.header('Idempotent-Replayed', undefined);
  return c.json(errorBody(failure, c), ERRORS[failure.code].status);
}

/** Any failure as an error of ours: with its header set, and logged when it is on our side. */
export function takeFailure(error: unknown, c: Context<AppEnv>): AppError {
  const failure = asAppError(error, c);
  const { retryAfterSeconds } = failure.details;
  if (ERRORS[failure.code].status === 500)
    logOf(c)('error', failure.code, { route: routePath(c, -1), error: failure.cause ?? failure });
  if (ERRORS[failure.code].status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return failure;
}

/** A 409 the operation decided, as it is kept under an idempotency key; undefined for what the caller can mend and try again. */
export function storableRefusal(error: unknown, c: Context<AppEnv>): { status: number; body: string } | undefined {
  if (!(error instanceof AppError) || PASSING.includes(error.code)) return undefined;
  const { status } = ERRORS[error.code];
  return status === 409 ? { status, body: JSON.stringify(errorBody(error, c)) } : undefined;
}

function errorBody({ code, message: sentence, details }: AppError, c: Context<AppEnv>): NestedError | FlatError {
  const { status, title } = ERRORS[code];
  const { requestId: request_id, env } = c.var;
  const { email, alternatives, body } = details;
  const field = sentField(code, details.field, c);
  const message = status === 500 ? `${sentence} Request ${request_id}.` : sentence;
  const baseUrl = env?.BASE_URL ?? new URL(c.req.url).origin;
  const facts = {
    message,
    ...(field === undefined ? {} : { field }),
    ...(email === undefined ? {} : { email }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(toSlotAnswer) }),
    ...body,
    request_id,
    docs: `${baseUrl}${ERRORS_PATH}#${code}`,
  };
  return isNested(c.req.path, code) ? { error: { code, ...facts } } : { error: title, code, ...facts };
}

/** A person may be known from the meeting alone: then no field of the request named them. */
function sentField(code: ErrorCode, field: string | undefined, c: Context<AppEnv>): string | undefined {
  const isUnsent = field !== undefined && c.var.sent !== undefined && !c.var.sent.includes(field);
  return isUnsent && ABOUT_PEOPLE.includes(code) ? undefined : field;
}

function asAppError(error: unknown, c: Context<AppEnv>): AppError {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof AppError) return at;
  if (error instanceof HTTPException && error.status === 400)
    return new AppError('invalid_request', 'The body is not valid JSON.');
  return new AppError('internal_error', `Something went wrong on our side. ${adviceFor(c)}`, {}, error);
}

/** What can be done after a failure nobody foresaw; before the input was checked nothing can have been done. */
function adviceFor({ req, var: { operation } }: Context<AppEnv>): string {
  if (operation === undefined || operation.method === 'get' || operation.changesNothing) return 'Try again.';
  return operation.takesIdempotencyKey && req.header('Idempotency-Key') !== undefined
    ? 'Try again with the same Idempotency-Key.'
    : 'It may have been done all the same: look before you try again.';
}

/** An environment that does not parse fails before there is a context. */
const logOf = (c: Context<AppEnv>) => c.var.ctx?.log ?? createLog(c.var.requestId);
