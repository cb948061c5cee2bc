import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { platforms } from '../tables/platforms.ts';
import { users } from '../tables/users.ts';
import { isAccepted } from './api-keys-owner.ts';

export function insertKeys(db: Db, keys: (typeof apiKeys.$inferInsert)[]) {
  return db.insert(apiKeys).values(keys);
}

export const isNewKey = (hash: string): Guard => sql`not exists (select 1 from api_keys k where k.hash = ${hash})`;

export type Owner = { platformId: string } | { userId: string };

interface NextKey {
  owner: Owner;
  hash: string;
  masked: string;
  now: number;
  /** Still works until `until`: the key with the SHA-256 `hash`, or without a `hash` the current key. */
  keep?: { until: number; hash: string | undefined } | undefined;
  guard: Guard;
}

const ownedBy = (owner: Owner) =>
  'platformId' in owner
    ? sql`${apiKeys.platformId} = ${owner.platformId} and ${apiKeys.kind} = 'secret'`
    : sql`${apiKeys.userId} = ${owner.userId} and ${apiKeys.agentHost} is null`;

/**
 * Revokes every former key at once, except the one in `keep` and those of a user's agents. It does nothing if `guard`
 * does not hold or the new key exists already. An earlier statement must have locked the owner's row.
 */
export function insertNextKey(db: Db, { owner, hash, masked, now, keep, guard }: NextKey) {
  const isKept = keep?.hash === undefined ? sql`${apiKeys.revokedAt} is null` : sql`${apiKeys.hash} = ${keep.hash}`;
  const until =
    keep === undefined
      ? at(now)
      : sql`case when ${isKept} then least(coalesce(${apiKeys.revokedAt}, ${at(keep.until)}), ${at(keep.until)}) else ${at(now)} end`;
  const isNew = isNewKey(hash);
  const [kind, platformId, userId] =
    'platformId' in owner ? ['secret', owner.platformId, null] : ['user', null, owner.userId];
  return db.execute(sql`
    with former as (
      update ${apiKeys} set revoked_at = ${until}
      where ${ownedBy(owner)} and ${isAccepted(now)} and ${isNew} and ${guard}
      returning 1)
    insert into ${apiKeys} (hash, kind, platform_id, user_id, masked, created_at)
    select ${hash}::text, ${kind}::text, ${platformId}::text, ${userId}::text, ${masked}::text, ${at(now)}
    from (select count(*) from former) revoked
    where ${isNew} and ${guard}`);
}

/** Also selects the time from which the key is refused. Returns no row for an unknown key. */
export const selectMade = (db: Db, { hash }: { hash: string }) =>
  db.select({ createdAt: apiKeys.createdAt, revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.hash, hash));

/** Selects the time from which the replaced key that works longest is refused. */
export const selectFormer = (db: Db, { owner }: { owner: Owner }) =>
  db
    .select({ revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(sql`${ownedBy(owner)} and ${apiKeys.revokedAt} is not null`)
    .orderBy(desc(apiKeys.revokedAt))
    .limit(1);

/** It is null for a first key, which replaced none. */
export const replacedAt = (column: 'platform_id' | 'user_id', id: string) => sql<number | null>`(
  select max(k.created_at) from ${apiKeys} k where k.${sql.raw(column)} = ${id} and k.kind <> 'publishable' and k.agent_host is null and exists (
    select 1 from ${apiKeys} o where o.${sql.raw(column)} = k.${sql.raw(column)} and o.kind = k.kind and o.agent_host is null
      and o.created_at <= k.created_at and o.hash <> k.hash))`;

/** The platform must not be deleted and have replaced no secret key after `since`. */
export const mayReplaceSecretKey = ({ platformId, since }: { platformId: string; since: number }): Guard =>
  sql`exists (select 1 from ${platforms} p where p.id = ${platformId} and p.ended_at is null)
    and coalesce(${replacedAt('platform_id', platformId)} <= ${at(since)}, true)`;

/** The time is null if the key was never replaced. */
export const selectReplacedAt = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ at: replacedAt('platform_id', platformId).mapWith(apiKeys.createdAt) })
    .from(platforms)
    .where(eq(platforms.id, platformId));

const isLive = (userId: string) => sql`exists (select 1 from ${users} u where u.id = ${userId} and u.ended_at is null)`;

/** The user must not be deleted and have replaced no key after `since`. */
export const mayHaveNewKey = ({ userId, since }: { userId: string; since: number }): Guard =>
  sql`${isLive(userId)} and coalesce(${replacedAt('user_id', userId)} <= ${at(since)}, true)`;

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
