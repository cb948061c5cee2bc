import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from './platforms.ts';
import { users } from './users.ts';

/** Each comes from a completed OAuth consent, and gives no access to another platform. */
export const connections = pgTable(
  'connections',
  {
    platformId: text('platform_id')
      .notNull()
      .references(() => platforms.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    connectedAt: instant('connected_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    /** When the calendar was last read because of this platform. Another platform's read must not show. */
    syncedAt: instant('synced_at'),
    disconnectedAt: instant('disconnected_at'),
  },
  (t) => [
    primaryKey({ name: 'connections_pkey', columns: [t.platformId, t.userId] }),
    // Index for `isOnPage`, `countConnections`.
    index('connections_page').on(t.platformId, t.connectedAt, t.userId).where(sql`${t.disconnectedAt} is null`),
    // Includes the platform, so that this index also finds one connection of a person who has many.
    index('connections_user').on(t.userId, t.platformId),
  ],
);
