import { findReplacedAt, replaceSecretKey } from '../../schema/api-keys/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { maskKey, sha256 } from '../keys.ts';
import { REPLACED_ONCE_MS, tooManyRegenerations, waitsUntil } from '../regeneration.ts';

/**
 * Replaces a platform's secret key, which is dead from that statement on (`interface.md`, POST
 * /v1/platform/regenerate-key). Throws `too_many_regenerations` when it was replaced within the hour.
 */
export async function regeneratePlatformKey(ctx: Ctx, platformId: string): Promise<string> {
  const key = await ctx.keys.create('sk_live_');
  const now = ctx.clock.now();
  const made = { hash: await sha256(key), masked: maskKey(key), now, since: now - REPLACED_ONCE_MS };
  if (await replaceSecretKey(ctx.db, { platformId, ...made })) return key;
  const until = waitsUntil(ctx, await findReplacedAt(ctx.db, { platformId }));
  throw until === undefined ? userGone() : tooManyRegenerations(ctx, until);
}
