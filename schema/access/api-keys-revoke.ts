import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { isAccepted } from './api-keys-owner.ts';

/** Builds a statement that revokes those secret and publishable API keys of a platform that still work. */
export const revokePlatformKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.platformId, platformId), isAccepted(now)));

/** Builds a statement that revokes every API key of the user that still works, those of their agents too. */
export const revokeUserKeys = (db: Db, { userId, now, guard }: { userId: string; now: number; guard: Guard }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.userId, userId), isAccepted(now), guard));

/**
 * Builds a statement that revokes every API key that the user made for themselves and that still works. The statement
 * returns the keys' masked forms.
 */
export function revokeOwnKeys(db: Db, input: { userId: string; now: number; guard: Guard }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isNull(apiKeys.agentHost), isAccepted(input.now), input.guard))
    .returning({ masked: apiKeys.masked });
}
