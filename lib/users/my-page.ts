import { findMaskedUserKey } from '../../schema/api-keys/user-keys.ts';
import { findUserWithAccount } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';

/** What a person's own page shows; undefined for an id that is no user's. */
export async function myPage(ctx: Ctx, userId: string) {
  const [user, maskedKey] = await Promise.all([findUserWithAccount(ctx.db, userId), findMaskedUserKey(ctx.db, userId)]);
  return user === undefined
    ? undefined
    : { email: user.email, calendarConnected: user.status === 'connected', maskedKey };
}
