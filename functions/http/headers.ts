import type { Context } from 'hono';
import { AppError, invalid } from '../../lib/kit/errors.ts';
import type { AppEnv } from './env.ts';

/** Each comes once and trimmed. A runtime joins the copies of a header with a comma. One in quotes is of the value. */
export function valuesOf(header = ''): string[] {
  const values: string[] = [];
  let isQuoted = false;
  for (const part of header.split(',')) {
    values.push(isQuoted ? `${values.pop()},${part}` : part);
    if (part.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  return [...new Set(values.map((one) => one.trim()).filter((one) => one !== ''))];
}

/** An empty header is an empty text, and equal copies count as one. Throws `invalid_request` for different ones. */
export function readSingle(
  c: Context<AppEnv>,
  name: string,
  read: (value: string) => string = (value) => value,
): string | undefined {
  const header = c.req.header(name);
  if (header === undefined) return undefined;
  const [value = '', ...others] = new Set(valuesOf(header).map(read));
  if (others.length === 0) return value;
  throw invalid(
    name,
    `The header ${name} has ${others.length + 1} different values. Send one, and put quotes around a value that has a comma.`,
  );
}

const NAME = 'Idempotency-Key';
const OTHER_NAMES = /^(?:x-)?idempoten(?:cy|ce|t)[-_]?(?:key|id|token)?$/;

export const isIdempotencyKey = (name: string): boolean => OTHER_NAMES.test(name.toLowerCase());

export const LONGEST_KEY = 255;
const KEY = new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_KEY}}$`);

/** Throws for another header's name too, because a retry without the key would book twice. */
export function readIdempotencyKey(c: Context<AppEnv>): string | undefined {
  const key = readSingle(c, NAME, (value) => /^"(.*)"$/.exec(value)?.[1] ?? value);
  if (key === undefined) {
    const other = [...c.req.raw.headers.keys()].find(isIdempotencyKey);
    if (other === undefined) return undefined;
    throw new AppError('invalid_request', `The header ${other} is not read. Send the key as the header ${NAME}.`, {
      field: other,
    });
  }
  if (!KEY.test(key))
    throw invalid(NAME, `The header ${NAME} must have 1 to ${LONGEST_KEY} printable ASCII characters.`);
  return key;
}
