import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { agentCodes, apiKeys } from '../tables/api-keys.ts';
import { users } from '../tables/users.ts';

interface NewCode {
  hash: string;
  userId: string;
  clientId: string;
  agentName: string;
  redirectUri: string;
  codeChallenge: string;
  now: number;
  expiresAt: number;
  guard: Guard;
}

export const insertCode = (db: Db, code: NewCode) =>
  db.execute(sql`
    insert into ${agentCodes} (hash, user_id, client_id, agent_name, redirect_uri, code_challenge, created_at, expires_at)
    select ${code.hash}::text, ${code.userId}::text, ${code.clientId}::text, ${code.agentName}::text,
      ${code.redirectUri}::text, ${code.codeChallenge}::text, ${at(code.now)}, ${at(code.expiresAt)}
    where ${code.guard}
    on conflict do nothing`);

export const endCodes = (
  db: Db,
  { userId, hash, now, guard }: { userId: string; hash?: string; now: number; guard?: Guard },
) =>
  db
    .update(agentCodes)
    .set({ expiresAt: now })
    .where(
      and(
        eq(agentCodes.userId, userId),
        hash === undefined ? undefined : eq(agentCodes.hash, hash),
        isNull(agentCodes.usedAt),
        gt(agentCodes.expiresAt, now),
        guard,
      ),
    );

export const selectUnusedCode = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .select({ hash: agentCodes.hash })
    .from(agentCodes)
    .where(and(eq(agentCodes.hash, hash), isNull(agentCodes.usedAt), gt(agentCodes.expiresAt, now)));

/** The hash is the code's SHA-256. Returns undefined for an unknown code. */
export async function findCode(db: Db, hash: string) {
  const [code] = await db
    .select({ ...pick(agentCodes, 'userId', 'clientId', 'redirectUri', 'codeChallenge', 'expiresAt', 'usedAt') })
    .from(agentCodes)
    .where(eq(agentCodes.hash, hash));
  return code;
}

interface Exchange {
  hash: string;
  key: { hash: string; masked: string; agentHost: string; agentPath: string; expiresAt: number };
  now: number;
}

/**
 * Builds the statement that exchanges an unused code for an agent's API key. One statement claims the code and makes
 * the key, so that of several requests with one code a single one gets a key. It does nothing for a deleted user.
 */
export const exchangeCode = (db: Db, { hash, key, now }: Exchange) =>
  db.execute(sql`
    with claimed as (
      update ${agentCodes} set used_at = ${at(now)}, key_hash = ${key.hash}
      where hash = ${hash} and used_at is null and expires_at > ${at(now)}
        and exists (select 1 from ${users} u where u.id = user_id and u.ended_at is null)
      returning user_id, agent_name)
    insert into ${apiKeys} (hash, kind, user_id, masked, agent_host, agent_path, agent_name, created_at, revoked_at)
    select ${key.hash}::text, 'user', c.user_id, ${key.masked}::text, ${key.agentHost}::text, ${key.agentPath}::text,
      c.agent_name, ${at(now)}, ${at(key.expiresAt)}
    from claimed c`);

export const revokeKeyOfCode = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(
      and(
        sql`${apiKeys.hash} = (select c.key_hash from ${agentCodes} c where c.hash = ${hash})`,
        gt(apiKeys.revokedAt, now),
      ),
    )
    .returning({ masked: apiKeys.masked });

export const hasKeyOfCode = ({ hash, now }: { hash: string; now: number }): Guard =>
  sql`exists (select 1 from agent_codes c join api_keys k on k.hash = c.key_hash where c.hash = ${hash} and k.revoked_at > ${at(now)})`;

export const deleteCodesOf = (db: Db, { userId, guard }: { userId: string; guard: Guard }) =>
  db.delete(agentCodes).where(and(eq(agentCodes.userId, userId), guard));
