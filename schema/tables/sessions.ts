import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

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
    /** True for a dashboard session that may see everything and change nothing. */
    readOnly: boolean('read_only').notNull().default(false),
    /** SHA-256 of the secret in the browser that opened the dashboard link, so that no other browser can open it. */
    browser: text(),
    /** When a dashboard's link was made, or a person signed in to their pages. */
    createdAt: instant('created_at').notNull(),
    /** Time at which the session began. Null for a dashboard link that nobody has opened. */
    openedAt: instant('opened_at'),
    expiresAt: instant('expires_at').notNull(),
    /** Time at which the session was ended before its expiry, for example because somebody signed out. */
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
