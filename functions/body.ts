import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError, type ErrorCode } from '../lib/errors.ts';
import type { AppEnv } from './env.ts';

const LARGEST_BYTES = 64 * 1024;

/** Codes of fields that have one of their own. */
export const CODES: Record<string, ErrorCode> = {
  attendees: 'invalid_attendees',
  duration_minutes: 'invalid_duration',
  start_time: 'invalid_time',
  end_time: 'invalid_time',
  date_range: 'invalid_date_range',
  preferred_time_range: 'invalid_time',
};

/** The JSON body, checked; throws with the first offending field named. */
export async function readBody<S extends z.ZodType>(c: Context<AppEnv>, schema: S): Promise<z.output<S>> {
  const type = c.req.header('Content-Type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  const json = parseJson(await readText(c));
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AppError('invalid_request', 'The body must be a JSON object.');
  return check(schema, json);
}

/** The same where no body at all means an empty object. */
export async function readOptionalBody<S extends z.ZodType>(c: Context<AppEnv>, schema: S): Promise<z.output<S>> {
  return (await readText(c)) === '' ? check(schema, {}) : readBody(c, schema);
}

/** The query, checked the same way. */
export const readQuery = <S extends z.ZodType>(c: Context<AppEnv>, schema: S): z.output<S> =>
  check(schema, c.req.query());

/** Checks a value; throws `invalid_…` for its first issue. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const [top] = issue?.path ?? [];
  const field = issue?.path.join('.') ?? '';
  const isMissing =
    issue?.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value) ===
    undefined;
  const wrong = isMissing
    ? 'is required'
    : issue?.message.startsWith('must')
      ? issue.message
      : 'is not of the right type';
  const shown = top === 'attendees' ? 'attendees' : field;
  throw new AppError(CODES[String(top)] ?? 'invalid_request', `${shown} ${wrong}.`, { field: shown });
}

async function readText(c: Context<AppEnv>): Promise<string> {
  const tooLarge = () => new AppError('payload_too_large', 'The body may have at most 64 KiB.');
  if (Number(c.req.header('Content-Length') ?? 0) > LARGEST_BYTES) throw tooLarge();
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength > LARGEST_BYTES) throw tooLarge();
  return new TextDecoder().decode(bytes);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
}
