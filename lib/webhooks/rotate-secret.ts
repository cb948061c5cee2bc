import { replaceSecret } from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { readWebhook } from './read-webhook.ts';

/** How long a former secret stays valid (`interface.md`, Events). */
export const OVERLAP_MS = 24 * 3_600_000;

/**
 * A new secret, answered here and never again; the former stays valid for 24 h. Of two at once one is refused with
 * `secret_rotated`, so that the secret shown is the one in force.
 */
export async function rotateSecret(
  ctx: Ctx,
  platformId: string,
): Promise<{ secret: string; previousValidUntil: number }> {
  const { secret: from } = await readWebhook(ctx, platformId);
  const secret = ctx.ids.secret('whsec_');
  const now = ctx.clock.now();
  const previousValidUntil = now + OVERLAP_MS;
  const to = await ctx.sealer.seal(secret);
  if (!(await replaceSecret(ctx.db, { platformId, from, to, validUntil: previousValidUntil, now })))
    throw new AppError('secret_rotated', 'The secret was replaced by another request at the same time.');
  return { secret, previousValidUntil };
}
