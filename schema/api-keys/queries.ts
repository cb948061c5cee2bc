import { and, asc, desc, eq, isNotNull, isNull, max, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';
import { apiKeys } from './table.ts';

const PLATFORM = {
  id: platforms.id,
  name: platforms.name,
  email: platforms.email,
  plan: platforms.plan,
  redirectUris: platforms.redirectUris,
};
const USER = { id: users.id, email: users.email };

/** The owner of a live key, in one query: platform or user, by the key's SHA-256. */
export async function findKeyOwner(db: Db, { hash }: { hash: string }) {
  const [row] = await db
    .select({ kind: apiKeys.kind, platform: PLATFORM, user: USER })
    .from(apiKeys)
    .leftJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(isLiveKey(hash));
  return row;
}

export type KeyOwner = NonNullable<Awaited<ReturnType<typeof findKeyOwner>>>;

/** Statement that divides by zero, and so fails its batch, unless the key is live and all that is known of its owner is so. */
export const assertKeyOwner = (db: Db, { hash, platform, user }: KeyOwner & { hash: string }) =>
  db
    .select({ stands: sql`1 / count(*)` })
    .from(apiKeys)
    .leftJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .leftJoin(users, eq(users.id, apiKeys.userId))
    .where(and(isLiveKey(hash), ...areSo(PLATFORM, platform), ...areSo(USER, user)));

const isLiveKey = (hash: string) => and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt));

const areSo = <Facts extends object>(columns: { [Name in keyof Facts]: AnyPgColumn }, facts: Facts | null) =>
  Object.entries(facts ?? {}).map(([name, fact]) => eq(columns[name as keyof Facts], fact));

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

/** Statement: the live publishable key of a platform. */
export const selectPublishableKey = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ key: sql<string>`${apiKeys.publishableKey}` })
    .from(apiKeys)
    .where(and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'publishable'), isNull(apiKeys.revokedAt)));

/** The live publishable key of a platform, or undefined. */
export async function findPublishableKey(db: Db, platformId: string): Promise<string | undefined> {
  const [row] = await selectPublishableKey(db, { platformId });
  return row?.key;
}

const secretOf = (platformId: string) => and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'secret'));

/** The SHA-256 of the platform's live secret key, or undefined. */
export async function findSecretKeyHash(db: Db, { platformId }: { platformId: string }): Promise<string | undefined> {
  const [row] = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(secretOf(platformId), isNull(apiKeys.revokedAt)));
  return row?.hash;
}

/** Statement: how the platform's live secret key may be shown again. */
export const findMaskedKey = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ masked: apiKeys.masked, createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(secretOf(platformId), isNull(apiKeys.revokedAt)));

/**
 * Ends the platform's secret key and puts the next, by its hash, in its place: one statement, so that of many at once the
 * first alone finds a live key. False when a key was replaced after an instant.
 */
export async function replaceSecretKey(
  db: Db,
  key: { platformId: string; hash: string; masked: string; now: number; since: number },
): Promise<boolean> {
  const { platformId, hash, masked, now, since } = key;
  const { rows } = await db.execute(sql`
    with former as (
      update ${apiKeys} set revoked_at = ${at(now)}
      where platform_id = ${platformId} and kind = 'secret' and revoked_at is null and not exists (
        select 1 from ${apiKeys} k where k.platform_id = ${platformId} and k.kind = 'secret' and k.revoked_at > ${at(since)})
      returning platform_id)
    insert into ${apiKeys} (hash, kind, platform_id, masked, created_at)
    select ${hash}::text, 'secret', platform_id, ${masked}::text, ${at(now)} from former
    returning hash`);
  return rows.length > 0;
}

/** Statement: when the platform's secret key last took another's place; null when it never did, as far as is kept. */
export const selectReplacedAt = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ at: max(apiKeys.revokedAt) })
    .from(apiKeys)
    .where(and(secretOf(platformId), isNotNull(apiKeys.revokedAt)));

/** Statement: ends the user's live key. */
export function revokeUserKey(db: Db, input: { userId: string; now: number; guard?: Guard }) {
  return db
    .update(apiKeys)
    .set({ revokedAt: input.now })
    .where(and(eq(apiKeys.userId, input.userId), isNull(apiKeys.revokedAt), input.guard));
}

const isLive = (userId: string) => sql`exists (select 1 from ${users} u where u.id = ${userId} and u.ended_at is null)`;

/** When the user's newest key took another's place; null for a first one, which took nobody's. */
const replacedAt = (userId: string) => sql<number | null>`(
  select max(k.created_at) from ${apiKeys} k where k.user_id = ${userId} and exists (
    select 1 from ${apiKeys} o where o.user_id = k.user_id and o.created_at <= k.created_at and o.hash <> k.hash))`;

/** Whether the user may have a new key: they are still one, and replaced none after an instant. */
export const mayHaveNewKey = ({ userId, since }: { userId: string; since: number }): Guard =>
  sql`${isLive(userId)} and coalesce(${replacedAt(userId)} <= ${at(since)}, true)`;

/** Statement, behind the user's lock: their new key, by its hash; answers nothing where the guard does not hold. */
export function insertUserKey(
  db: Db,
  { userId, hash, masked, now, guard }: { userId: string; hash: string; masked: string; now: number; guard: Guard },
) {
  return db.execute<{ hash: string }>(sql`
    insert into ${apiKeys} (hash, kind, user_id, masked, created_at)
    select ${hash}::text, 'user', ${userId}::text, ${masked}::text, ${at(now)} where ${guard}
    returning hash`);
}

/** Every key a user has or had, as it may be shown again, newest first. */
export const listUserKeys = (db: Db, userId: string) =>
  db
    .select({ masked: apiKeys.masked, createdAt: apiKeys.createdAt, revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), asc(apiKeys.hash));

/** Statement: how the user's live key may be shown again, and when a key of theirs last took another's place; none for no user. */
export const selectUserKey = (db: Db, userId: string) =>
  db
    .select({ masked: apiKeys.masked, replacedAt: replacedAt(userId).mapWith(apiKeys.createdAt) })
    .from(users)
    .leftJoin(apiKeys, and(eq(apiKeys.userId, users.id), isNull(apiKeys.revokedAt)))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
