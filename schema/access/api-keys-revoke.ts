import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { isAccepted } from './api-keys-owner.ts';

export const revokePlatformKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.platformId, platformId), isAccepted(now)));

/** Revokes the keys of the user's agents too. */
export const revokeUserKeys = (db: Db, { userId, now, guard }: { userId: string; now: number; guard: Guard }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.userId, userId), isAccepted(now), guard));

/** Leaves the keys of agents. Returns the masked forms. */
export function revokeOwnKeys(db: Db, input: { userId: string; now: number; guard: Guard }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isNull(apiKeys.agentHost), isAccepted(input.now), input.guard))
    .returning({ masked: apiKeys.masked });
}
