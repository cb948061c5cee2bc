import { and, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { refuse } from '../refusals.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { platforms } from '../tables/platforms.ts';
import { users } from '../tables/users.ts';

/** Replaced keys that still work for some hours count too. */
export const isAccepted = (now: number) => sql`(${apiKeys.revokedAt} is null or ${apiKeys.revokedAt} > ${at(now)})`;

/** Takes one query. Returns undefined for a key that is unknown, or that no longer works. */
export async function findKeyOwner(db: Db, { hash, now }: { hash: string; now: number }) {
  const [row] = await db
    .select({
      kind: apiKeys.kind,
      masked: apiKeys.masked,
      agentHost: apiKeys.agentHost,
      revokedAt: apiKeys.revokedAt,
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

/** False for a replaced key, and for that of a suspended platform. */
export const isKeyCurrent = (hash: string): Guard => sql`exists (
  select 1 from api_keys k left join platforms p on p.id = k.platform_id
  where k.hash = ${hash} and k.revoked_at is null and p.suspended_at is null)`;

export const isKeyAccepted = (hash: string, now: number): Guard =>
  sql`exists (select 1 from api_keys k where k.hash = ${hash} and (k.revoked_at is null or k.revoked_at > ${at(now)}))`;

/**
 * Refuses the batch as `credential_ended` if the key no longer works at `now`, or if its platform is suspended, as
 * other requests do with `findKeyOwner`. `insistOnCredential` is for batches that lock the owner's row.
 */
export const insistOnKey = (db: Db, { hash, now }: { hash: string; now: number }) => {
  const isSuspended = sql`exists (
    select 1 from api_keys k join platforms p on p.id = k.platform_id where k.hash = ${hash} and p.suspended_at is not null)`;
  return db.execute(
    sql`select case when not ${isKeyAccepted(hash, now)} or ${isSuspended} then ${refuse('credential_ended')} end`,
  );
};

/** Builds a statement that returns a row if the API key with this SHA-256 still works, and no row otherwise. */
export const selectAccepted = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hash), isAccepted(now)));

/** Returns an SQL condition that is true if the user has an API key of their own, not an agent's, that still works. */
export const hasKey = ({ userId, now }: { userId: string; now: number }): Guard =>
  sql`exists (select 1 from api_keys k where k.user_id = ${userId} and k.agent_host is null and (k.revoked_at is null or k.revoked_at > ${at(now)}))`;

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
