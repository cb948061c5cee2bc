import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { calendarAccounts } from './calendar-accounts.ts';

/** The provider sends a push, with the channel's secret, whenever a calendar changes, until the channel expires. */
export const watchChannels = pgTable(
  'watch_channels',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /** Hash of the watched calendar's id, `primary` for the main calendar (`calendar_accounts.calendar_marks`). */
    calendar: text().notNull(),
    /** SHA-256 of the channel's secret. The provider sends the secret with every push over the channel. */
    tokenHash: text('token_hash').notNull(),
    /** The provider's id, needed to stop the channel. Null until the provider has answered. */
    resourceId: text('resource_id'),
    openedAt: instant('opened_at').notNull(),
    expiresAt: instant('expires_at'),
    /** Time of the first push over this watch channel, which proves that the channel works. Null until then. */
    verifiedAt: instant('verified_at'),
    /** Number of the newest push on the channel. A push with a lower number brings nothing new. */
    lastMessage: bigint('last_message', { mode: 'number' }).notNull().default(0),
  },
  // Index for `listBusySnapshots`.
  (t) => [index('watch_channels_user').on(t.userId)],
);
