import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';
import { apiKeys } from './table.ts';

/** The owner of a live key, in one query: platform or user, by the key's SHA-256. */
export async function findCaller(db: Db, { hash }: { hash: string }) {
  const [row] = await db
    .select({
      kind: apiKeys.kind,
      platform: {
        id: platforms.id,
        name: platforms.name,
        email: platforms.email,
        plan: platforms.plan,
        redirectUris: platforms.redirectUris,
      },
      user: { id: users.id, email: users.email },
    })
    .from(apiKeys)
    .leftJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt)));
  return row;
}

/** New keys, hashed by the caller. */
export function insertKeys(db: Db, keys: (typeof apiKeys.$inferInsert)[]) {
  return db.insert(apiKeys).values(keys);
}

/** The platform whose live publishable key has this hash, or undefined. */
export async function findPlatformByPublishableKey(db: Db, hash: string) {
  const [platform] = await db
    .select({ id: platforms.id, name: platforms.name, redirectUris: platforms.redirectUris })
    .from(apiKeys)
    .innerJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .where(and(eq(apiKeys.hash, hash), eq(apiKeys.kind, 'publishable'), isNull(apiKeys.revokedAt)));
  return platform;
}

/** The live publishable key of a platform, or undefined. */
export async function findPublishableKey(db: Db, platformId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ key: apiKeys.publishableKey })
    .from(apiKeys)
    .where(and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'publishable'), isNull(apiKeys.revokedAt)));
  return row?.key ?? undefined;
}

/** Statement: ends the user's live key. */
export function revokeUserKey(db: Db, input: { userId: string; now: number; guard?: Guard }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isNull(apiKeys.revokedAt), input.guard));
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
