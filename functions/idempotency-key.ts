import type { Context } from 'hono';
import { AppError } from '../lib/kit/errors.ts';
import type { AppEnv } from './env.ts';

export const LONGEST_KEY = 255;
const KEY = new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_KEY}}$`);

/**
 * Returns the request's `Idempotency-Key` without the quotes that some clients put around it. Returns undefined if
 * there is none. Throws `invalid_request` unless it has 1 to 255 printable ASCII characters.
 */
export function readIdempotencyKey(c: Context<AppEnv>): string | undefined {
  const header = c.req.header('Idempotency-Key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY.test(key))
    throw new AppError(
      'invalid_request',
      `The header Idempotency-Key must have 1 to ${LONGEST_KEY} printable ASCII characters.`,
      {
        field: 'Idempotency-Key',
      },
    );
  return key;
}
