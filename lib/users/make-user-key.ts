import { insertUserKey, revokeUserKey } from '../../schema/api-keys/user-keys.ts';
import type { Ctx } from '../context.ts';
import { maskKey, sha256 } from '../keys.ts';

/** Makes a user's key and ends the one before; the key is shown once. */
export async function makeUserKey(ctx: Ctx, userId: string): Promise<string> {
  const key = ctx.ids.secret('sk_user_');
  const now = ctx.clock.now();
  await ctx.db.batch([
    revokeUserKey(ctx.db, { userId, now }),
    insertUserKey(ctx.db, { userId, hash: await sha256(key), masked: maskKey(key), now }),
  ]);
  return key;
}
