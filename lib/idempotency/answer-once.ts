import { deleteExpiredKeys, findKey, type KeyName } from '../../schema/idempotency/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { KeyTaken } from '../meetings/create.ts';

const WINDOW_MS = 24 * 3_600_000;
const WAIT_MS = 3_000;
const POLL_MS = 200;

export type Claim = KeyName & { fingerprint: string };
export type OnceAnswer<T> = { replayed: false; answer: T } | { replayed: true; status: number; body: string };

/**
 * Runs an operation that claims its key in its own first batch, or answers what the first request with the key
 * answered. Throws `idempotency_key_reused` for another body and `idempotency_in_progress` after 3 s of waiting.
 */
export async function answerOnce<T>(ctx: Ctx, claim: Claim | undefined, run: () => Promise<T>): Promise<OnceAnswer<T>> {
  const giveUpAt = ctx.clock.now() + WAIT_MS;
  for (;;) {
    try {
      return { replayed: false, answer: await run() };
    } catch (error) {
      if (!(error instanceof KeyTaken) || claim === undefined) throw error;
    }
    const stored = await findKey(ctx.db, claim);
    const expiry = ctx.clock.now() - WINDOW_MS;
    if (stored?.state === 'done' && stored.createdAt < expiry) {
      await deleteExpiredKeys(ctx.db, { before: expiry, name: claim });
      continue;
    }
    if (stored !== undefined && stored.fingerprint !== claim.fingerprint)
      throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another request body.');
    if (stored?.status && stored.body !== null) return { replayed: true, status: stored.status, body: stored.body };
    if (ctx.clock.now() >= giveUpAt)
      throw new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
        retryAfterSeconds: 5,
      });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
