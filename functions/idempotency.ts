import type { Context } from 'hono';
import { AppError } from '../lib/errors.ts';
import { answerOnce } from '../lib/idempotency/answer-once.ts';
import { sha256 } from '../lib/keys.ts';
import type { KeyClaim } from '../schema/idempotency/queries.ts';
import { type AppEnv, platformOf } from './env.ts';
import { storableRefusal } from './errors.ts';

/**
 * Answers an operation at most once per `Idempotency-Key`; `run` gets the claim to put into its first batch. The body
 * is the checked one, so that spelling and unknown fields make no other request of it. `lookFirst` is for what would
 * work, or refuse, before its first batch.
 */
export async function once(
  c: Context<AppEnv>,
  operation: string,
  body: unknown,
  run: (claim: KeyClaim | undefined) => Promise<unknown>,
  { status = 200, lookFirst = false }: { status?: 200 | 202; lookFirst?: boolean } = {},
): Promise<Response> {
  const claim = await claimOf(c, operation, body);
  const answer = await answerOnce(
    c.var.ctx,
    claim,
    async () => ({ status, body: JSON.stringify(await run(claim)) }),
    (error) => storableRefusal(error, c),
    { lookFirst },
  );
  if (answer.isReplay) c.header('Idempotent-Replayed', 'true');
  return c.body(answer.body, answer.status as 200, { 'Content-Type': 'application/json' });
}

/** The request's `Idempotency-Key`, bare or quoted, with the fingerprint of method, path and body; undefined without one. */
async function claimOf(c: Context<AppEnv>, operation: string, body: unknown): Promise<KeyClaim | undefined> {
  const header = c.req.header('Idempotency-Key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new AppError('invalid_request', 'Idempotency-Key must have 1 to 255 printable characters.', {
      field: 'Idempotency-Key',
    });
  const fingerprint = await sha256(`${c.req.method} ${c.req.path} ${JSON.stringify(body)}`);
  return { platformId: platformOf(c).id, operation, key, fingerprint };
}
