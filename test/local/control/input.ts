import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';

/** Reads the JSON body as `schema` says; anything else is a 400 that names the field. */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  const text = await c.req.text();
  return check(schema, parseJson(text === '' ? '{}' : text));
}

/** Reads the query string as `schema` says; anything else is a 400 that names the field. */
export function readQuery<S extends z.ZodType>(c: Context, schema: S): z.output<S> {
  return check(schema, c.req.query());
}

/** A refusal the caller can act on. */
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
    return refuse(400, 'the body is not JSON');
  }
}

/** An instant on the wire: ISO 8601 with an offset or `Z`. */
export const Instant = z.iso.datetime({ offset: true });
