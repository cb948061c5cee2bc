import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { instant } from '../columns.ts';

/** A watch channel: the provider pushes to us over it when a calendar changes, with its secret, until it expires. */
export const watchChannels = pgTable(
  'watch_channels',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => calendarAccounts.userId, { onDelete: 'cascade' }),
    /** The mark of the calendar (`calendar_accounts.calendar_marks`). */
    calendar: text().notNull(),
    /** SHA-256 of the secret it was opened with. */
    tokenHash: text('token_hash').notNull(),
    /** The provider's name of what is watched, needed to stop it; null until it has answered. */
    resourceId: text('resource_id'),
    openedAt: instant('opened_at').notNull(),
    expiresAt: instant('expires_at'),
    /** When the first push came over it. */
    verifiedAt: instant('verified_at'),
    /** The number of the newest push heard; what comes with an older one says nothing new. */
    lastMessage: bigint('last_message', { mode: 'number' }).notNull().default(0),
  },
  // listBusySnapshots
  (t) => [index('watch_channels_user').on(t.userId)],
);
