import { deleteExpiredKeys } from '../../schema/idempotency/queries.ts';
import type { Ctx } from '../context.ts';
import { WINDOW_MS } from './answer-once.ts';

/** Forgets finished keys after their 24 h; one that is still started is settled first. */
export async function forgetKeys(ctx: Ctx): Promise<void> {
  await deleteExpiredKeys(ctx.db, { before: ctx.clock.now() - WINDOW_MS });
}
