import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from '../users/table.ts';

/** A user's grant at the calendar provider; tokens are sealed with AES-GCM. */
export const calendarAccounts = pgTable(
  'calendar_accounts',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /** The provider's stable account id: this, not the address, is who the person is. */
    providerId: text('provider_id').notNull(),
    status: text().$type<'connected' | 'needs_reauthorization' | 'disconnected'>().notNull(),
    refreshToken: text('refresh_token'),
    accessToken: text('access_token'),
    accessExpiresAt: instant('access_expires_at'),
    scope: text().notNull(),
    /** Which of the person's calendars block time, sealed, as their ids are addresses of people; null for the main one alone. */
    calendars: text(),
    /** The same as marks that tell nothing, `primary` for the main one, so that each is known to be watched. */
    calendarMarks: text('calendar_marks').array().notNull().default(['primary']),
    /** Rises with every consent and every end of one, so that each is reported once. */
    generation: integer().notNull().default(1),
    reauthorizationNeededSince: instant('reauthorization_needed_since'),
    /** Consents that may be on their way, each until when, in epoch milliseconds: what ends meanwhile ends at the provider only after them. */
    consents: jsonb().$type<Record<string, number>>().notNull().default({}),
    refreshOwner: text('refresh_owner'),
    refreshLeaseUntil: instant('refresh_lease_until'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('calendar_accounts_status', sql`${t.status} in ('connected', 'needs_reauthorization', 'disconnected')`),
    check('calendar_accounts_tokens', sql`${t.status} <> 'connected' or ${t.refreshToken} is not null`),
    // findPeople: whose account it is
    uniqueIndex('calendar_accounts_provider').on(t.providerId),
    // listOverdueReauthorizations
    index('calendar_accounts_reauthorization')
      .on(t.reauthorizationNeededSince)
      .where(sql`${t.status} = 'needs_reauthorization'`),
  ],
);
