import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { AppError } from '../../lib/kit/errors.ts';
import {
  ERRORS,
  ERRORS_PATH,
  type ErrorCode,
  type FlatError,
  isNested,
  type NestedError,
} from '../../schema/api/http-errors.ts';
import { toSlotAnswer } from './answers.ts';
import { NOT_JSON } from './body.ts';
import type { AppEnv } from './env.ts';
import { createLog } from './log.ts';

const ABOUT_PEOPLE: ErrorCode[] = ['user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];

/** Paths and codes decide the format (`isNested`): nested for availability, scheduling, meetings, jobs and the like. */
export function renderError(error: unknown, c: Context<AppEnv>): Response {
  const failure = takeFailure(error, c);
  // `Idempotent-Replayed` means a stored answer. This error takes its place if the request failed after it was set.
  c.header('Idempotent-Replayed', undefined);
  return c.json(errorBody(failure, c), ERRORS[failure.code].status);
}

/** Sets the error's headers, and logs the failure if the status is 500, because it is then ours. */
export function takeFailure(error: unknown, c: Context<AppEnv>): AppError {
  const failure = asAppError(error, c);
  c.set('refusal', failure.code);
  const { retryAfterSeconds } = failure.details;
  if (ERRORS[failure.code].status === 500)
    logOf(c)('error', failure.code, { route: routePath(c, -1), error: failure.cause ?? failure });
  if (ERRORS[failure.code].status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterSeconds)));
  return failure;
}

export function errorBody({ code, message: sentence, details }: AppError, c: Context<AppEnv>): NestedError | FlatError {
  const { status, title } = ERRORS[code];
  const { requestId: request_id, env } = c.var;
  const { email, alternatives, usage } = details;
  const field = sentField(code, details.field, c);
  const message = status === 500 ? `${sentence} The request ID is ${request_id}.${supportFor(code, env)}` : sentence;
  const baseUrl = env?.BASE_URL ?? new URL(c.req.url).origin;
  const facts = {
    message,
    ...(field === undefined ? {} : { field }),
    ...(email === undefined ? {} : { email }),
    ...(alternatives === undefined ? {} : { alternatives: alternatives.map(toSlotAnswer) }),
    ...(usage && { limit: usage.limit, used: usage.used, resets_at: new Date(usage.resetsAt).toISOString() }),
    request_id,
    docs: `${baseUrl}${ERRORS_PATH}#${code}`,
  };
  return isNested(c.req.path, code) ? { error: { code, ...facts } } : { error: title, code, ...facts };
}

/** Returns where to write if the failure is ours. A calendar that does not respond is the provider's failure. */
const supportFor = (code: ErrorCode, env: AppEnv['Variables']['env'] | undefined) =>
  code === 'internal_error' && env?.SUPPORT_EMAIL !== undefined
    ? ` If it happens again, write to ${env.SUPPORT_EMAIL} with this ID.`
    : '';

/** Undefined for an error about a person whom the request did not send: they come from the stored meeting. */
function sentField(code: ErrorCode, field: string | undefined, c: Context<AppEnv>): string | undefined {
  const isUnsent = field !== undefined && c.var.sent !== undefined && !c.var.sent.includes(field);
  return isUnsent && ABOUT_PEOPLE.includes(code) ? undefined : field;
}

function asAppError(error: unknown, c: Context<AppEnv>): AppError {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof AppError) return at;
  if (error instanceof HTTPException && error.status === 400) return new AppError('invalid_request', NOT_JSON);
  return new AppError('internal_error', `Something went wrong on our side. ${adviceFor(c)}`, {}, error);
}

/** A failure before the input or the API key was checked changed nothing, so any retry is safe. */
function adviceFor({ req, var: { operation, caller } }: Context<AppEnv>): string {
  const isUnchecked = operation?.keyCheck === 'beside_load' && caller === undefined;
  if (operation === undefined || isUnchecked || operation.method === 'get' || operation.changesNothing)
    return 'Try again in a minute.';
  return operation.takesIdempotencyKey && req.header('Idempotency-Key') !== undefined
    ? 'Try again in a minute with the same Idempotency-Key.'
    : 'The requested change may have been made anyway. Check whether it was made before you try again.';
}

/** With an invalid environment the request has no context yet. */
const logOf = (c: Context<AppEnv>) => c.var.ctx?.log ?? createLog(c.var.requestId);
