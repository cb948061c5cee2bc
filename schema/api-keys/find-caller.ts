import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db.ts';
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
