import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { platforms } from '../platforms/table.ts';
import { apiKeys } from './table.ts';

/** The platform whose live publishable key has this hash, or undefined. */
export async function findPlatformByPublishableKey(db: Db, hash: string) {
  const [platform] = await db
    .select({ id: platforms.id, redirectUris: platforms.redirectUris })
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
