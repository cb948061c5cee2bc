import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from './users.ts';

/** Table of users' grants at the calendar provider. Tokens are encrypted with AES-GCM. */
export const calendarAccounts = pgTable(
  'calendar_accounts',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /** Stable account id from the provider. It identifies the person, and the email address does not. */
    providerId: text('provider_id').notNull(),
    status: text().$type<'connected' | 'needs_reauthorization' | 'disconnected'>().notNull(),
    refreshToken: text('refresh_token'),
    accessToken: text('access_token'),
    accessExpiresAt: instant('access_expires_at'),
    scope: text().notNull(),
    /** Null for only the main one. Encrypted, because a calendar's id is often a person's address. */
    calendars: text(),
    /** Hashes, or `primary`, tell which calendars are watched without the ids, which are often addresses. */
    calendarMarks: text('calendar_marks').array().notNull().default(['primary']),
    /**
     * Number that rises with every consent, and whenever Tandem must ask for a new one. A pending revocation stores the
     * number of the grant that it is for, so that it never ends a newer grant.
     */
    generation: integer().notNull().default(1),
    reauthorizationNeededSince: instant('reauthorization_needed_since'),
    /**
     * Consents of the person that may be in progress. Each consent's id is mapped to the time, in epoch milliseconds,
     * until which Tandem waits for it. A grant that ends before that time is revoked at the provider only after it.
     */
    consents: jsonb().$type<Record<string, number>>().notNull().default({}),
    refreshOwner: text('refresh_owner'),
    refreshLeaseUntil: instant('refresh_lease_until'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('calendar_accounts_status', sql`${t.status} in ('connected', 'needs_reauthorization', 'disconnected')`),
    check('calendar_accounts_tokens', sql`${t.status} <> 'connected' or ${t.refreshToken} is not null`),
    // Index for `findPeople`. Also allows one user per account at the provider.
    uniqueIndex('calendar_accounts_provider').on(t.providerId),
    // Index for `listOverdueReauthorizations`.
    index('calendar_accounts_reauthorization')
      .on(t.reauthorizationNeededSince)
      .where(sql`${t.status} = 'needs_reauthorization'`),
  ],
);
