import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { instant } from '../columns.ts';

/**
 * Table of watch channels. The provider pushes over a channel when a calendar changes, with the channel's secret, until
 * the channel expires.
 */
export const watchChannels = pgTable(
  'watch_channels',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /** Anonymous mark of the watched calendar (`calendar_accounts.calendar_marks`). */
    calendar: text().notNull(),
    /** SHA-256 of the secret that the channel was opened with and that each push carries. */
    tokenHash: text('token_hash').notNull(),
    /**
     * Provider's id of the watched resource, needed to stop the channel. It is null until the provider has answered.
     */
    resourceId: text('resource_id'),
    openedAt: instant('opened_at').notNull(),
    expiresAt: instant('expires_at'),
    /** Time at which the first push arrived on the channel. It proves that the channel works. */
    verifiedAt: instant('verified_at'),
    /** Number of the newest push on the channel. A push with a lower number brings nothing new. */
    lastMessage: bigint('last_message', { mode: 'number' }).notNull().default(0),
  },
  // Index for `listBusySnapshots`.
  (t) => [index('watch_channels_user').on(t.userId)],
);
