import { sql } from 'drizzle-orm';
import { check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from './users.ts';

/** OAuth authorization codes, by their SHA-256. A person lets an agent in, which exchanges the code for a key, once. */
export const agentCodes = pgTable(
  'agent_codes',
  {
    hash: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
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
