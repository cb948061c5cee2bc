import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, refersTo } from '../columns.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

/** Table of API keys, each stored as its SHA-256. The key itself is shown once and never stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    hash: text().primaryKey(),
    kind: text().$type<'secret' | 'publishable' | 'user'>().notNull(),
    platformId: text('platform_id').references(() => platforms.id),
    userId: text('user_id').references(() => users.id),
    masked: text().notNull(),
    /** Null for secret and user keys. It is public and is shown again in links that Tandem builds. */
    publishableKey: text('publishable_key'),
    /** Host of the agent that a person let in and that holds the key. Null for a key that somebody made for themselves. */
    agentHost: text('agent_host'),
    /** Path and query of the agent's document, because a host may have those of many agents. */
    agentPath: text('agent_path'),
    /** Name that the agent gives itself. Nobody has checked it. */
    agentName: text('agent_name'),
    createdAt: instant('created_at').notNull(),
    /** Lies ahead for a replaced key that still works for some hours, and for an agent's key, which expires then. */
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    check('api_keys_kind', sql`${t.kind} in ('secret', 'publishable', 'user')`),
    check(
      'api_keys_owner',
      sql`(${t.kind} = 'user') = (${t.userId} is not null) and (${t.kind} = 'user') = (${t.platformId} is null)`,
    ),
    check('api_keys_public', sql`(${t.publishableKey} is not null) = (${t.kind} = 'publishable')`),
    check('api_keys_agent', sql`(${t.agentHost} is null) = (${t.agentName} is null)`),
    check('api_keys_agent_expires', sql`${t.agentHost} is null or (${t.kind} = 'user' and ${t.revokedAt} is not null)`),
    // Index for `listUserKeys`, `selectUserKey`, `listAgents`.
    index('api_keys_user').on(t.userId).where(sql`${t.userId} is not null`),
    // Index for `mayReplaceSecretKey`, `selectReplacedAt`.
    index('api_keys_replaced')
      .on(t.platformId, t.revokedAt)
      .where(sql`${t.platformId} is not null and ${t.revokedAt} is not null`),
    // Index for `deleteRevokedKeys`.
    index('api_keys_revoked').on(t.revokedAt).where(sql`${t.revokedAt} is not null`),
    uniqueIndex('api_keys_one_live_per_platform')
      .on(t.platformId, t.kind)
      .where(sql`${t.revokedAt} is null and ${t.platformId} is not null`),
    uniqueIndex('api_keys_one_live_per_user')
      .on(t.userId)
      .where(sql`${t.revokedAt} is null and ${t.userId} is not null`),
  ],
);

/** OAuth authorization codes, by their SHA-256. A person lets an agent in, which exchanges the code for a key, once. */
export const agentCodes = pgTable(
  'agent_codes',
  {
    hash: text().primaryKey(),
    userId: refersTo('user_id', () => users.id),
    /** URL of the document in which the agent describes itself. */
    clientId: text('client_id').notNull(),
    agentName: text('agent_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** PKCE challenge: the SHA-256 of the verifier that the exchange must send. */
    codeChallenge: text('code_challenge').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** SHA-256 of the API key that the exchange made. The key is revoked if somebody sends the code again. */
    keyHash: text('key_hash'),
  },
  (t) => [
    check('agent_codes_used', sql`(${t.usedAt} is null) = (${t.keyHash} is null)`),
    // Index for `deleteCodesOf`.
    index('agent_codes_user').on(t.userId),
    // Index for `deleteOldCodes`.
    index('agent_codes_expires').on(t.expiresAt),
  ],
);

/**
 * Table of browser sessions, of platforms' dashboards and of people's own pages. A dashboard link is a session that no
 * browser has opened yet, so one row ensures that the link opens only once.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    platformId: text('platform_id').references(() => platforms.id),
    userId: text('user_id').references(() => users.id),
    readOnly: boolean('read_only').notNull().default(false),
    /** SHA-256 of the secret in the browser that opened the dashboard link, so that no other browser can open it. */
    browser: text(),
    /** When the link of a dashboard was made, or when a person signed in to their pages. */
    createdAt: instant('created_at').notNull(),
    /** Time at which the session began. Null for a dashboard link that nobody has opened. */
    openedAt: instant('opened_at'),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    check('sessions_owner', sql`(${t.platformId} is null) <> (${t.userId} is null)`),
    check('sessions_opened', sql`${t.userId} is null or ${t.openedAt} is not null`),
    // Index for `endSessions`.
    index('sessions_platform').on(t.platformId).where(sql`${t.platformId} is not null and ${t.endedAt} is null`),
    index('sessions_user').on(t.userId).where(sql`${t.userId} is not null`),
    // Index for `deleteOldSessions`.
    index('sessions_expires').on(t.expiresAt),
  ],
);
