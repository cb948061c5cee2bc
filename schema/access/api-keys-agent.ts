import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';

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
