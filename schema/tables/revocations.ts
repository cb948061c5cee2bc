import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from './users.ts';

/**
 * Deleted once the provider has revoked the grant. A person has one grant at the provider, so a running revocation
 * would also end a new consent: the two never run at the same time.
 */
export const revocations = pgTable(
  'revocations',
  {
    providerId: text('provider_id').primaryKey(),
    /** User whose account had the grant. The user may have been deleted since. */
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** A person who consents again is recognized by it until their account at the provider is known. */
    email: text().notNull(),
    /** The platform that the person connected to last, or else the person. The sweep serves these in turn. */
    turnOf: text('turn_of').notNull(),
    /** Generation number that the account had while it had this grant. A newer grant has another number. */
    generation: integer().notNull(),
    /** Encrypted refresh token of the ended grant. It is stored nowhere else. */
    token: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Id of the worker that is revoking the grant now, alone. */
    owner: text(),
    /** Time until which one worker alone may revoke the grant. After that time another worker may try. */
    leaseUntil: instant('lease_until'),
    /** Set while the person is giving a new consent, which an earlier revocation would end too. */
    heldUntil: instant('held_until'),
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    // Index for `listDueRevocations`.
    index('revocations_due').on(t.turnOf, t.dueAt),
    // Index for `deleteOldRevocations`.
    index('revocations_age').on(t.createdAt),
    index('revocations_email').on(t.email),
  ],
);
