import { cancelBatch as cancelStatements, commitPlanned } from '../../../schema/meetings/batches-end.ts';
import { refusalOf } from '../../../schema/refusals.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import { batchEnded, batchNotPlanned } from '../../kit/errors.ts';
import { planLimitsOf } from '../../kit/plans.ts';
import { batchTooLarge, monthOf } from '../../usage/quota.ts';
import { publishBatch } from './batch.ts';
import { findBatch } from './read.ts';

/**
 * Serves `POST /v1/batches/{batch_id}/commit`. Books meetings as far as their times still hold, and places the others
 * anew. A repeated call has no further effect. Throws `batch_not_found`, `batch_not_planned`, `quota_exceeded`.
 */
export async function commitBatch(ctx: Ctx, platform: Platform, id: string) {
  const now = ctx.clock.now();
  const quota = planLimitsOf(platform.plan).meetingsPerMonth;
  let isCommitted = false;
  try {
    const committed = await commitPlanned(ctx.db, { platformId: platform.id, id, month: monthOf(now), quota, now });
    isCommitted = committed.length > 0;
  } catch (error) {
    if (refusalOf(error) !== 'quota_exhausted') throw error;
    const { counts } = await findBatch(ctx, platform, id);
    throw await batchTooLarge(ctx, platform, counts.placed);
  }
  const { batch } = await findBatch(ctx, platform, id);
  if (isCommitted) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (batch.committedAt === null || batch.status === 'cancelled') throw batchNotPlanned(batch);
  return { id, total: batch.total };
}

/**
 * Serves `DELETE /v1/batches/{batch_id}`. Booked meetings, and those being booked, stay. A repeated call has no further
 * effect. Throws `batch_not_found`, and `batch_ended` for a batch that completed.
 */
export async function cancelBatch(ctx: Ctx, platform: PlatformRef, id: string) {
  const [cancelled] = await ctx.db.batch([
    ...cancelStatements(ctx.db, { platformId: platform.id, id, now: ctx.clock.now() }),
  ]);
  const found = await findBatch(ctx, platform, id);
  if (cancelled.length > 0) ctx.later(publishBatch(ctx, { id, platformId: platform.id }));
  else if (found.batch.status !== 'cancelled') throw batchEnded();
  return found;
}
