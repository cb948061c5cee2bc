import type { Context } from 'hono';
import type * as z from 'zod';
import { AppError } from '../lib/errors.ts';
import { FIELD_CODES } from '../schema/api/http-errors.ts';
import type { Operation, PartOf } from '../schema/api/operation.ts';
import { readJson } from './body.ts';
import { shortened, unknownFields, withoutNulls } from './body-fields.ts';
import type { AppEnv } from './env.ts';

/** The checked parts of a request. */
export interface Input<O extends Operation> {
  params: PartOf<O, 'params'>;
  query: PartOf<O, 'query'>;
  body: PartOf<O, 'body'>;
  /** What in the body is no field of the operation, in sentences. */
  warnings: string[];
}

/**
 * Reads and checks what the operation takes; throws with the first offending field named. `null` stands for a field that
 * was not given. A field of the body that nobody knows becomes a warning, or a refusal where the operation says so.
 */
export async function readInput<O extends Operation>(c: Context<AppEnv>, operation: O): Promise<Input<O>> {
  const { params, query, body, codes, isBodyOptional = false, refusesUnknownFields = false } = operation;
  const checked = {
    params: params && check(params, c.req.param(), codes),
    query: query && check(query, c.req.query(), codes),
  };
  const given = body && withoutNulls(body, await readJson(c, { isBodyOptional }));
  const unknown = body === undefined ? [] : unknownFields(body, given);
  const [first] = unknown;
  if (refusesUnknownFields && first !== undefined)
    throw new AppError('invalid_request', first.sentence, { field: first.path });
  const input = {
    ...checked,
    body: body && check(body, given, codes),
    warnings: unknown.map(({ sentence }) => sentence),
  };
  c.set(
    'sent',
    [checked.params, checked.query, given].flatMap((part) => Object.keys(part ?? {})),
  );
  // Each part was checked by the schema its type comes from.
  return input as Input<O>;
}

/** The JSON body, checked. */
export async function readBody<S extends z.ZodType>(c: Context<AppEnv>, schema: S): Promise<z.output<S>> {
  return check(schema, await readJson(c));
}

/** Checks a value; throws `invalid_…` for its first issue. */
export function check<S extends z.ZodType>(schema: S, value: unknown, codes: Operation['codes'] = {}): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const [top] = issue?.path ?? [];
  const field = issue?.path.map((name) => shortened(String(name))).join('.') ?? '';
  const isMissing =
    issue?.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value) ===
    undefined;
  const wrong = isMissing
    ? 'is required'
    : issue?.message.startsWith('must')
      ? issue.message
      : 'is not of the right type';
  const shown = top === 'attendees' ? 'attendees' : field;
  const { wrong: code = 'invalid_request', missing, tooMany } = { ...(codes[String(top)] ?? FIELD_CODES[String(top)]) };
  const told =
    (isMissing ? missing : issue?.code === 'too_big' && issue.path.length === 1 ? tooMany : undefined) ?? code;
  throw new AppError(told, `${field} ${wrong}.`, { field: shown });
}
