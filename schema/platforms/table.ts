import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** An integrator: owns keys, connections, meetings, a webhook endpoint and a plan. */
export const platforms = pgTable(
  'platforms',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    plan: text().notNull(),
    redirectUris: text('redirect_uris').array().notNull().default(sql`'{}'`),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('platforms_plan', sql`${t.plan} in ('developer', 'starter', 'pro', 'growth', 'scale', 'enterprise')`),
    check('platforms_redirect_uris', sql`cardinality(${t.redirectUris}) <= 5`),
  ],
);
