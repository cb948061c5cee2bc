import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { platforms } from '../platforms/table.ts';
import { users } from '../users/table.ts';

/** That a user finished OAuth with a platform; another platform's connection gives no access. */
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
    disconnectedAt: instant('disconnected_at'),
  },
  (t) => [
    primaryKey({ name: 'connections_pkey', columns: [t.platformId, t.userId] }),
    // isOnPage, countConnections
    index('connections_page').on(t.platformId, t.connectedAt, t.userId).where(sql`${t.disconnectedAt} is null`),
    // With the platform, so that one connection of a person with many is one look whichever index is taken.
    index('connections_user').on(t.userId, t.platformId),
  ],
);
