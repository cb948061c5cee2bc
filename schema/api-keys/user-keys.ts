import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { apiKeys } from './table.ts';

/** Statement: ends the user's live key. */
export function revokeUserKey(db: Db, input: { userId: string; now: number }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isNull(apiKeys.revokedAt)));
}

/** Statement: the user's new key, by its hash. */
export function insertUserKey(db: Db, input: { userId: string; hash: string; masked: string; now: number }) {
  const { now, ...key } = input;
  return db.insert(apiKeys).values({ ...key, kind: 'user', createdAt: now });
}

/** How the user's live key may be shown again, or undefined. */
export async function findMaskedUserKey(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ masked: apiKeys.masked })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
  return row?.masked;
}
