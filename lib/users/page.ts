import { findUserKey } from '../../schema/api-keys/queries.ts';
import { findUserWithAccount } from '../../schema/users/queries.ts';
import { platformsWithAccess } from '../calendars/connections.ts';
import type { Ctx } from '../context.ts';
import { waitsUntil } from '../regeneration.ts';

/** What a person's own page shows; undefined for an id that is no user's. `newKeyAt` is set while they must wait. */
export async function myPage(ctx: Ctx, userId: string) {
  const [user, key, platforms] = await Promise.all([
    findUserWithAccount(ctx.db, userId),
    findUserKey(ctx.db, userId),
    platformsWithAccess(ctx, userId),
  ]);
  if (user === undefined) return undefined;
  return {
    email: user.email,
    status: user.status ?? 'disconnected',
    platforms,
    maskedKey: key?.masked ?? undefined,
    newKeyAt: waitsUntil(ctx, key?.replacedAt ?? null),
  };
}
