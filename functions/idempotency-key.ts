import type { Context } from 'hono';
import { AppError } from '../lib/errors.ts';
import type { Claim } from '../lib/idempotency/answer-once.ts';
import { sha256 } from '../lib/keys.ts';
import type { AppEnv } from './env.ts';

/** The request's `Idempotency-Key`, bare or quoted, with the fingerprint of method, path and body; undefined without one. */
export async function idempotencyClaim(
  c: Context<AppEnv>,
  operation: string,
  body: unknown,
): Promise<Claim | undefined> {
  const header = c.req.header('Idempotency-Key');
  if (header === undefined || c.var.caller.kind !== 'secret') return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new AppError('invalid_request', 'Idempotency-Key must have 1 to 255 printable characters.', {
      field: 'Idempotency-Key',
    });
  const fingerprint = await sha256(`${c.req.method} ${c.req.path} ${JSON.stringify(body)}`);
  return { platformId: c.var.caller.platform.id, operation, key, fingerprint };
}
