import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from '../users/table.ts';

/**
 * A grant that has ended here and must end at the provider; the row goes once the provider has it. At the provider a
 * person has one grant, so that a revocation on its way would end a new consent too: only one of the two goes on.
 */
export const revocations = pgTable(
  'revocations',
  {
    providerId: text('provider_id').primaryKey(),
    /** Whose account here it was; they may be a user no more. */
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The address the grant was given under, by which a person who consents again is known before they are. */
    email: text().notNull(),
    /** Whose turn it waits for: the platform the person connected with last, else theirs. */
    turnOf: text('turn_of').notNull(),
    /** Of the account when it had the grant; a newer one has another. */
    generation: integer().notNull(),
    /** The sealed refresh token; nothing else keeps it. */
    token: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Who is revoking it, and until when that is believed. */
    owner: text(),
    leaseUntil: instant('lease_until'),
    /** It is not revoked before then, as a consent is under way. */
    heldUntil: instant('held_until'),
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    // claimRevocations
    index('revocations_due').on(t.turnOf, t.dueAt),
    // deleteOldRevocations
    index('revocations_age').on(t.createdAt),
    index('revocations_email').on(t.email),
  ],
);
