import { replaceSecretKey, selectReplacedAt } from '../../schema/api-keys/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { REPLACED_ONCE_MS, tooManyRegenerations, waitsUntil } from '../key-regeneration.ts';
import { maskKey, sha256 } from '../keys.ts';

/**
 * Replaces a platform's secret key, which is dead from that statement on (`interface.md`, POST
 * /v1/platform/regenerate-key). Throws `too_many_regenerations` when it was replaced within the hour. The caller may bring
 * the key that is to take its place.
 */
export async function regeneratePlatformKey(ctx: Ctx, platformId: string, next?: string): Promise<string> {
  const key = next ?? (await ctx.keys.create('sk_live_'));
  const now = ctx.clock.now();
  const made = { hash: await sha256(key), masked: maskKey(key), now, since: now - REPLACED_ONCE_MS };
  if (await replaceSecretKey(ctx.db, { platformId, ...made })) return key;
  const [replaced] = await selectReplacedAt(ctx.db, { platformId });
  const until = waitsUntil(ctx, replaced?.at ?? null);
  throw until === undefined ? userGone() : tooManyRegenerations(ctx, until);
}
