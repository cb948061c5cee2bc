import { and, asc, desc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { at, pick } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { platforms } from '../tables/platforms.ts';
import { users } from '../tables/users.ts';

/** Replaced keys that still work for some hours count too. */
export const isAccepted = (now: number) => sql`(${apiKeys.revokedAt} is null or ${apiKeys.revokedAt} > ${at(now)})`;

export async function findKeyOwner(db: Db, { hash, now }: { hash: string; now: number }) {
  const [row] = await db
    .select({
      ...pick(apiKeys, 'kind', 'masked', 'agentHost', 'revokedAt'),
      suspendedAt: platforms.suspendedAt,
      platform: { ...pick(platforms, 'id', 'name', 'email', 'plan', 'redirectUris') },
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
 * Refuses the batch as `credential_ended` if the key no longer works at `now` or if its platform is suspended. Batches
 * that lock the owner's row use `insistOnCredential` instead.
 */
export const insistOnKey = (db: Db, { hash, now }: { hash: string; now: number }) => {
  const isSuspended = sql`exists (
    select 1 from api_keys k join platforms p on p.id = k.platform_id where k.hash = ${hash} and p.suspended_at is not null)`;
  return db.execute(
    sql`select case when not ${isKeyAccepted(hash, now)} or ${isSuspended} then ${refuse('credential_ended')} end`,
  );
};

export const selectAccepted = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hash), isAccepted(now)));

/** Keys of the user's agents do not count. */
export const hasKey = ({ userId, now }: { userId: string; now: number }): Guard =>
  sql`exists (select 1 from api_keys k where k.user_id = ${userId} and k.agent_host is null and (k.revoked_at is null or k.revoked_at > ${at(now)}))`;

export async function findPlatformByPublishableKey(db: Db, hash: string) {
  const [platform] = await db
    .select({ ...pick(platforms, 'id', 'name', 'logoUrl', 'defaultPreferences', 'redirectUris', 'suspendedAt') })
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

export async function findLinkKey(db: Db, { platformId }: { platformId: string }) {
  const [row] = await db
    .select({ key: sql<string>`${apiKeys.publishableKey}`, redirectUris: platforms.redirectUris })
    .from(apiKeys)
    .innerJoin(platforms, eq(platforms.id, apiKeys.platformId))
    .where(isPublishableKeyOf(platformId));
  return row;
}

export const insertKeys = (db: Db, keys: (typeof apiKeys.$inferInsert)[]) => db.insert(apiKeys).values(keys);

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
 * Revokes every former key at once, except `keep` and those of a user's agents. Does nothing if the new key exists
 * already. An earlier statement must have locked the owner's row.
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

export const selectReplacedAt = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ at: replacedAt('platform_id', platformId).mapWith(apiKeys.createdAt) })
    .from(platforms)
    .where(eq(platforms.id, platformId));

const isLive = (userId: string) => sql`exists (select 1 from ${users} u where u.id = ${userId} and u.ended_at is null)`;

/** The user must not be deleted and have replaced no key after `since`. */
export const mayHaveNewKey = ({ userId, since }: { userId: string; since: number }): Guard =>
  sql`${isLive(userId)} and coalesce(${replacedAt('user_id', userId)} <= ${at(since)}, true)`;

const revoke = (db: Db, now: number, ...which: (SQL | undefined)[]) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(...which, isAccepted(now)))
    .returning({ masked: apiKeys.masked });

export const revokePlatformKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  revoke(db, now, eq(apiKeys.platformId, platformId));

type OfUser = { userId: string; now: number; guard: Guard };

/** Revokes the keys of the user's agents too. */
export const revokeUserKeys = (db: Db, { userId, now, guard }: OfUser) =>
  revoke(db, now, eq(apiKeys.userId, userId), guard);

/** Leaves the keys of the user's agents. */
export const revokeOwnKeys = (db: Db, { userId, now, guard }: OfUser) =>
  revoke(db, now, eq(apiKeys.userId, userId), isNull(apiKeys.agentHost), guard);

const secretOf = (platformId: string) => and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'secret'));

/** The dashboard may show the masked form any number of times. */
export const findMaskedKey = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ masked: apiKeys.masked, createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(secretOf(platformId), isNull(apiKeys.revokedAt)));

/** These replaced keys still work for some hours. The one that stops working first comes first. */
export const listKeptKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db
    .select({ masked: apiKeys.masked, until: sql`${apiKeys.revokedAt}`.mapWith(apiKeys.createdAt) })
    .from(apiKeys)
    .where(and(secretOf(platformId), sql`${apiKeys.revokedAt} > ${at(now)}`))
    .orderBy(asc(apiKeys.revokedAt));

export const listUserKeys = (db: Db, userId: string) =>
  db
    .select({ ...pick(apiKeys, 'masked', 'agentHost', 'createdAt', 'revokedAt') })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), asc(apiKeys.hash));

/** Has the time of the last replacement. Returns no row for a deleted user. */
export const selectUserKey = (db: Db, userId: string) =>
  db
    .select({
      masked: apiKeys.masked,
      createdAt: apiKeys.createdAt,
      replacedAt: replacedAt('user_id', userId).mapWith(apiKeys.createdAt),
    })
    .from(users)
    .leftJoin(apiKeys, and(eq(apiKeys.userId, users.id), isNull(apiKeys.revokedAt)))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

const isAgentOf = ({ userId, now }: { userId: string; now: number }) =>
  and(eq(apiKeys.userId, userId), isNotNull(apiKeys.agentHost), gt(apiKeys.revokedAt, now));

/** They are those whose keys still work, newest first. `id` is the SHA-256 of the agent's API key. */
export const listAgents = (db: Db, of: { userId: string; now: number }) =>
  db
    .select({
      id: apiKeys.hash,
      host: sql<string>`${apiKeys.agentHost}`,
      path: sql<string>`coalesce(${apiKeys.agentPath}, '')`,
      name: sql<string>`${apiKeys.agentName}`,
      createdAt: apiKeys.createdAt,
      changedAt: sql<number | null>`(
        select max(a.at) from audit_log a where a.user_id = ${of.userId} and a.action = 'preferences.changed'
          and a.actor = ${apiKeys.masked} and a.at >= ${apiKeys.createdAt})`.mapWith(apiKeys.createdAt),
      expiresAt: sql`${apiKeys.revokedAt}`.mapWith(apiKeys.createdAt),
    })
    .from(apiKeys)
    .where(isAgentOf(of))
    .orderBy(desc(apiKeys.createdAt), apiKeys.hash);

export const revokeAgent = (db: Db, { id, guard, ...of }: OfUser & { id: string }) =>
  revoke(db, of.now, isAgentOf(of), eq(apiKeys.hash, id), guard);

export const hasAgent = ({ userId, id, now }: { userId: string; id: string; now: number }): Guard =>
  sql`exists (select 1 from api_keys k where k.hash = ${id} and k.user_id = ${userId} and k.agent_host is not null and k.revoked_at > ${at(now)})`;

export const revokeOldestAgents = (db: Db, { most, ...of }: { userId: string; now: number; most: number }) =>
  revoke(
    db,
    of.now,
    isAgentOf(of),
    sql`${apiKeys.hash} not in (
      select k.hash from api_keys k
      where k.user_id = ${of.userId} and k.agent_host is not null and k.revoked_at > ${at(of.now)}
      order by k.created_at desc, k.hash limit ${most}::int)`,
  );
