import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
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
