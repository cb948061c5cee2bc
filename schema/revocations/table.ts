import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';
import { users } from '../users/table.ts';

/** A grant that has ended here and must end at the provider; the row goes once the provider has it. */
export const revocations = pgTable(
  'revocations',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    /** The sealed refresh token; nothing else keeps it. */
    token: text().notNull(),
    attempts: integer().notNull().default(0),
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('revocations_due').on(t.dueAt)],
);
