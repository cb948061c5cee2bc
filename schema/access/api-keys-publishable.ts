import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { platforms } from '../tables/platforms.ts';

/** Finds the platform whose unrevoked publishable key has this hash. Returns undefined if there is none. */
export async function findPlatformByPublishableKey(db: Db, hash: string) {
  const [platform] = await db
    .select({
      id: platforms.id,
      name: platforms.name,
      logoUrl: platforms.logoUrl,
      defaultPreferences: platforms.defaultPreferences,
      redirectUris: platforms.redirectUris,
      suspendedAt: platforms.suspendedAt,
    })
    .from(apiKeys)
    .innerJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .where(and(eq(apiKeys.hash, hash), eq(apiKeys.kind, 'publishable'), isNull(apiKeys.revokedAt)));
  return platform;
}

export const selectPublishableKey = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ key: sql<string>`${apiKeys.publishableKey}` })
    .from(apiKeys)
    .where(isPublishableKeyOf(platformId));

const isPublishableKeyOf = (platformId: string) =>
  and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'publishable'), isNull(apiKeys.revokedAt));

/** Has the redirect URIs that links with it may use. Returns undefined if there is none. */
export async function findLinkKey(db: Db, { platformId }: { platformId: string }) {
  const [row] = await db
    .select({ key: sql<string>`${apiKeys.publishableKey}`, redirectUris: platforms.redirectUris })
    .from(apiKeys)
    .innerJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .where(isPublishableKeyOf(platformId));
  return row;
}
