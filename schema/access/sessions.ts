import { and, eq, gt, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { at, pick } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { agentCodes, apiKeys, sessions } from '../tables/api-keys.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { users } from '../tables/users.ts';
import { MINUTE } from '../units.ts';
import { insistOnKey, isKeyCurrent, type Owner } from './api-keys.ts';

type NewLink = Pick<typeof sessions.$inferSelect, 'id' | 'readOnly' | 'expiresAt'> & {
  platformId: string;
  now: number;
  guard: Guard;
};

export const insertLink = (db: Db, { id, platformId, readOnly, now, expiresAt, guard }: NewLink) =>
  db.execute<{ id: string }>(sql`
    insert into ${sessions} (id, platform_id, read_only, created_at, expires_at)
    select ${id}::text, ${platformId}::text, ${readOnly}::boolean, ${at(now)}, ${at(expiresAt)} where ${guard}
    returning id`);

export const hasSession = (id: string): Guard => sql`exists (select 1 from sessions s where s.id = ${id})`;

const isOpen = (id: string, now: number) =>
  and(eq(sessions.id, id), isNotNull(sessions.openedAt), isNull(sessions.endedAt), gt(sessions.expiresAt, now));

export const isSessionOpen = (id: string, now: number): Guard => sql`exists (
  select 1 from sessions s where s.id = ${id} and s.opened_at is not null and s.ended_at is null and s.expires_at > ${at(now)})`;

export const isOpenedBy = ({ id, browser }: { id: string; browser: string }): Guard =>
  sql`exists (select 1 from sessions s where s.id = ${id} and s.browser = ${browser} and s.ended_at is null)`;

/** No browser has opened it and it still works. Returns undefined for any other link. */
export async function findLink(db: Db, { id, now }: { id: string; now: number }) {
  const [link] = await db
    .select({ platformName: platforms.name, readOnly: sessions.readOnly, browser: sessions.browser })
    .from(sessions)
    .innerJoin(platforms, and(eq(platforms.id, sessions.platformId), isNull(platforms.suspendedAt)))
    .where(and(eq(sessions.id, id), isNull(sessions.endedAt), gt(sessions.expiresAt, now)));
  return link;
}

/**
 * The first browser turns the link into a session until `sessionUntil`, and gets the same one again if the link was
 * made after `linkSince`. Returns no row for another browser, an expired or ended link, or a suspended platform.
 */
export const openLink = (
  db: Db,
  { id, browser, now, ...of }: { id: string; browser: string; now: number; sessionUntil: number; linkSince: number },
) =>
  db
    .update(sessions)
    .set({
      browser,
      openedAt: sql`coalesce(${sessions.openedAt}, ${at(now)})`,
      expiresAt: sql`case when ${sessions.openedAt} is null then ${at(of.sessionUntil)} else ${sessions.expiresAt} end`,
    })
    .where(
      and(
        eq(sessions.id, id),
        isNotNull(sessions.platformId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now),
        gt(sessions.createdAt, of.linkSince),
        sql`(${sessions.browser} is null or ${sessions.browser} = ${browser})`,
        sql`exists (select 1 from ${platforms} p where p.id = ${sessions.platformId} and p.suspended_at is null)`,
      ),
    )
    .returning({ expiresAt: sessions.expiresAt });

type NewSession = { id: string; userId: string; now: number; expiresAt: number };

export const insertSession = (db: Db, { now, ...session }: NewSession) =>
  db.insert(sessions).values({ ...session, createdAt: now, openedAt: now });

export const selectDashboardSession = (db: Db, { id, now }: { id: string; now: number }) =>
  db
    .select({
      readOnly: sessions.readOnly,
      linkedAt: sessions.createdAt,
      platform: PLATFORM,
      suspendedAt: platforms.suspendedAt,
    })
    .from(sessions)
    .innerJoin(platforms, eq(platforms.id, sessions.platformId))
    .where(isOpen(id, now));

export async function findPersonSession(db: Db, { id, now }: { id: string; now: number }) {
  const [session] = await db
    .select({ userId: users.id })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sessions.userId), isNull(users.endedAt)))
    .where(isOpen(id, now));
  return session;
}

export const endSession = (db: Db, { id, now }: { id: string; now: number }) =>
  db.update(sessions).set({ endedAt: now }).where(isOpen(id, now)).returning({ id: sessions.id });

interface Ending {
  owner: Owner;
  now: number;
  /** Id of the session that sends the request, which stays open. */
  except?: string | undefined;
  guard?: SQL | undefined;
}

/** Ends a platform's links that nobody has opened, too. */
export const endSessions = (db: Db, { owner, now, except, guard }: Ending) =>
  db
    .update(sessions)
    .set({ endedAt: now })
    .where(
      and(
        'platformId' in owner ? eq(sessions.platformId, owner.platformId) : eq(sessions.userId, owner.userId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, now),
        except === undefined ? undefined : ne(sessions.id, except),
        guard,
      ),
    )
    .returning({ id: sessions.id });

export const deleteSessionsOf = (db: Db, { userId, guard }: { userId: string; guard: Guard }) =>
  db.delete(sessions).where(and(eq(sessions.userId, userId), guard));

/** The key is given by its SHA-256. */
export type Credential = { key: string } | { session: string };

/**
 * Postgres decides it when the statement runs, so a caller whose key was replaced or whose session ended, before or
 * during the request, changes nothing. True without a key or session.
 */
export function isStillValid(credential: Credential | undefined, now: number): Guard {
  if (credential === undefined) return sql`true`;
  return 'key' in credential ? isKeyCurrent(credential.key) : isSessionOpen(credential.session, now);
}

/** Refuses the batch as `credential_ended`. An earlier statement must have locked the row of the platform or user. */
export const insistOnCredential = (db: Db, { credential, now }: { credential: Credential | undefined; now: number }) =>
  db.execute(sql`select case when not (${isStillValid(credential, now)}) then ${refuse('credential_ended')} end`);

/** Lets a replaced key pass that still works for a while, and not only because the request began before its end. */
export const insistOnWorking = (db: Db, { credential, now }: { credential: Credential | undefined; now: number }) =>
  credential !== undefined && 'key' in credential
    ? insistOnKey(db, { hash: credential.key, now: now + MINUTE })
    : insistOnCredential(db, { credential, now });

export const NEVER: Guard = sql`false`;
export const both = (one: Guard, other: Guard): Guard => sql`(${one}) and (${other})`;
export const not = (guard: Guard): Guard => sql`not (${guard})`;

type NewCode = Omit<typeof agentCodes.$inferSelect, 'createdAt' | 'usedAt' | 'keyHash'> & { now: number; guard: Guard };

export const insertCode = (db: Db, code: NewCode) =>
  db.execute(sql`
    insert into ${agentCodes} (hash, user_id, client_id, agent_name, redirect_uri, code_challenge, created_at, expires_at)
    select ${code.hash}::text, ${code.userId}::text, ${code.clientId}::text, ${code.agentName}::text,
      ${code.redirectUri}::text, ${code.codeChallenge}::text, ${at(code.now)}, ${at(code.expiresAt)}
    where ${code.guard}
    on conflict do nothing`);

export const endCodes = (db: Db, of: { userId: string; hash?: string; now: number; guard?: Guard }) =>
  db
    .update(agentCodes)
    .set({ expiresAt: of.now })
    .where(
      and(
        eq(agentCodes.userId, of.userId),
        of.hash === undefined ? undefined : eq(agentCodes.hash, of.hash),
        isNull(agentCodes.usedAt),
        gt(agentCodes.expiresAt, of.now),
        of.guard,
      ),
    );

export const selectUnusedCode = (db: Db, { hash, now }: { hash: string; now: number }) =>
  db
    .select({ hash: agentCodes.hash })
    .from(agentCodes)
    .where(and(eq(agentCodes.hash, hash), isNull(agentCodes.usedAt), gt(agentCodes.expiresAt, now)));

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
 * One statement claims the code and makes the key, so that of several requests with one code a single one gets a key.
 * Does nothing for a deleted user.
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
