import { and, eq, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';
import { apiKeys } from './table.ts';

/**
 * Returns an SQL condition for API keys that are accepted: not revoked, or replaced and still within the hours they
 * were kept for.
 */
export const isAccepted = (now: number) => sql`(${apiKeys.revokedAt} is null or ${apiKeys.revokedAt} > ${at(now)})`;

/** Finds the platform or user that owns an accepted key, by the key's SHA-256, in one query. */
export async function findKeyOwner(db: Db, { hash, now }: { hash: string; now: number }) {
  const [row] = await db
    .select({
      kind: apiKeys.kind,
      masked: apiKeys.masked,
      suspendedAt: platforms.suspendedAt,
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
    .where(and(eq(apiKeys.hash, hash), isAccepted(now)));
  return row;
}

export type KeyOwner = NonNullable<Awaited<ReturnType<typeof findKeyOwner>>>;

/** Returns an SQL condition that is true if the API key with this SHA-256 is accepted. */
export const isKeyAccepted = (hash: string, now: number): Guard =>
  sql`exists (select 1 from api_keys k where k.hash = ${hash} and (k.revoked_at is null or k.revoked_at > ${at(now)}))`;

/** Builds a statement that returns a row if the API key is accepted and belongs to this platform or user. */
export const selectAccepted = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hash), isAccepted(now)));

/** Returns an SQL condition that is true if the user has an accepted API key. */
export const hasKey = ({ userId, now }: { userId: string; now: number }): Guard =>
  sql`exists (select 1 from api_keys k where k.user_id = ${userId} and (k.revoked_at is null or k.revoked_at > ${at(now)}))`;
