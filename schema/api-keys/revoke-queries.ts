import { and, eq } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { isAccepted } from './owner-queries.ts';
import { apiKeys } from './table.ts';

/** Builds a statement that revokes every API key of a platform, secret and publishable. */
export const revokePlatformKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.platformId, platformId), isAccepted(now)));

/** Builds a statement that revokes the user's accepted API keys. Returns the revoked keys in masked form. */
export function revokeUserKey(db: Db, input: { userId: string; now: number; guard?: Guard }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isAccepted(input.now), input.guard))
    .returning({ masked: apiKeys.masked });
}
