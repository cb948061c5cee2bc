import { findMaskedUserKey, insertUserKey, revokeUserKey } from '../../schema/api-keys/queries.ts';
import { findUserWithAccount } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { maskKey, sha256 } from '../keys.ts';

/** What a person's own page shows; undefined for an id that is no user's. */
export async function myPage(ctx: Ctx, userId: string) {
  const [user, maskedKey] = await Promise.all([findUserWithAccount(ctx.db, userId), findMaskedUserKey(ctx.db, userId)]);
  return user === undefined
    ? undefined
    : { email: user.email, calendarConnected: user.status === 'connected', maskedKey };
}

/** Makes a user's key and ends the one before; the key is shown once. */
export async function makeUserKey(ctx: Ctx, userId: string): Promise<string> {
  const key = await ctx.keys.create('sk_user_');
  const now = ctx.clock.now();
  await ctx.db.batch([
    revokeUserKey(ctx.db, { userId, now }),
    insertUserKey(ctx.db, { userId, hash: await sha256(key), masked: maskKey(key), now }),
  ]);
  return key;
}
