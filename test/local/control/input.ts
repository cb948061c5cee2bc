import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';

/** Reads a JSON body by a schema. Answers 400 with the name of the field if it does not match. */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  const text = await c.req.text();
  return check(schema, parseJson(text === '' ? '{}' : text));
}

export function readQuery<S extends z.ZodType>(c: Context, schema: S): z.output<S> {
  return check(schema, c.req.query());
}

export function refuse(status: 400 | 404 | 409 | 502, message: string): never {
  throw new HTTPException(status, { message });
}

function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const complaints = result.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  return refuse(400, complaints.join('; '));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse(400, 'The body is not JSON.');
  }
}

/** ISO 8601 time with an offset or `Z`. */
export const Instant = z.iso.datetime({ offset: true });
