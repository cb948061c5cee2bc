import { insertUserKey, mayHaveNewKey, revokeUserKey, selectUserKey } from '../../schema/api-keys/queries.ts';
import { batch } from '../../schema/db.ts';
import { lockUser } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { REPLACED_ONCE_MS, tooManyRegenerations, waitsUntil } from '../key-regeneration.ts';
import { maskKey, sha256 } from '../keys.ts';

/**
 * Makes a user's key and ends the one before in one transaction; the key is shown once. Undefined for somebody who is a
 * user no more; throws `too_many_regenerations` when a key was replaced within the hour. The caller may bring the key that
 * is to be made.
 */
export async function makeUserKey(ctx: Ctx, userId: string, next?: string): Promise<string | undefined> {
  const key = next ?? (await ctx.keys.create('sk_user_'));
  const now = ctx.clock.now();
  const guard = mayHaveNewKey({ userId, since: now - REPLACED_ONCE_MS });
  const { made } = await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    former: revokeUserKey(ctx.db, { userId, now, guard }),
    made: insertUserKey(ctx.db, { userId, hash: await sha256(key), masked: maskKey(key), now, guard }),
  });
  if (made.rows.length > 0) return key;
  const [live] = await selectUserKey(ctx.db, userId);
  const until = waitsUntil(ctx, live?.replacedAt ?? null);
  if (until === undefined) return undefined;
  throw tooManyRegenerations(ctx, until);
}

/** The same with the key that is replaced; throws `unauthorized` too, for somebody who has ended meanwhile. */
export async function regenerateUserKey(ctx: Ctx, userId: string): Promise<string> {
  const key = await makeUserKey(ctx, userId);
  if (key === undefined) throw userGone();
  return key;
}
