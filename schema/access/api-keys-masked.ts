import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { users } from '../tables/users.ts';
import { replacedAt } from './api-keys-replace.ts';

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
    .select({
      masked: apiKeys.masked,
      agentHost: apiKeys.agentHost,
      createdAt: apiKeys.createdAt,
      revokedAt: apiKeys.revokedAt,
    })
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

export const revokeAgent = (db: Db, { id, guard, ...of }: { userId: string; id: string; now: number; guard: Guard }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: of.now })
    .where(and(isAgentOf(of), eq(apiKeys.hash, id), guard));

export const hasAgent = ({ userId, id, now }: { userId: string; id: string; now: number }): Guard =>
  sql`exists (select 1 from api_keys k where k.hash = ${id} and k.user_id = ${userId} and k.agent_host is not null and k.revoked_at > ${at(now)})`;

export const revokeOldestAgents = (db: Db, { most, ...of }: { userId: string; now: number; most: number }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: of.now })
    .where(
      and(
        isAgentOf(of),
        sql`${apiKeys.hash} not in (
          select k.hash from api_keys k
          where k.user_id = ${of.userId} and k.agent_host is not null and k.revoked_at > ${at(of.now)}
          order by k.created_at desc, k.hash limit ${most}::int)`,
      ),
    );
