import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from '../users/table.ts';

/**
 * Table of grants that have ended in Tandem and must be revoked at the provider. A row is deleted once the provider has
 * revoked the grant. A person has one grant at the provider, so a running revocation would also end a new consent.
 * Therefore a revocation and a consent of the same person never run at the same time.
 */
export const revocations = pgTable(
  'revocations',
  {
    providerId: text('provider_id').primaryKey(),
    /** User whose account had the grant. The user may have been deleted since. */
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /**
     * Address under which the grant was given. It identifies a person who consents again before Tandem knows their
     * account.
     */
    email: text().notNull(),
    /**
     * Tenant under which the revocation waits: the platform that the person connected to last, or the person if there
     * is none. The sweep takes tenants in turn.
     */
    turnOf: text('turn_of').notNull(),
    /** Generation number that the account had while it had this grant. A newer grant has another number. */
    generation: integer().notNull(),
    /** Encrypted refresh token of the ended grant. It is stored nowhere else. */
    token: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Worker that is revoking the grant and holds the lease. */
    owner: text(),
    /** Time at which that worker's lease ends. */
    leaseUntil: instant('lease_until'),
    /** Earliest time at which the grant may be revoked, set while a consent of the person is in progress. */
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
