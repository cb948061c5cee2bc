import { sql } from 'drizzle-orm';
import { check, pgTable, text } from 'drizzle-orm/pg-core';
import { ON_DECLINE, type OnDecline } from '../api/platform.ts';
import { instant, isOneOf } from '../columns.ts';

/** An integrator: owns keys, connections, meetings, a webhook endpoint and a plan. */
export const platforms = pgTable(
  'platforms',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    plan: text().notNull(),
    redirectUris: text('redirect_uris').array().notNull().default(sql`'{}'`),
    onDecline: text('on_decline').$type<OnDecline>().notNull().default('notify'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('platforms_plan', sql`${t.plan} in ('developer', 'starter', 'pro', 'growth', 'scale', 'enterprise')`),
    check('platforms_redirect_uris', sql`cardinality(${t.redirectUris}) <= 5`),
    check('platforms_on_decline', isOneOf(t.onDecline, ON_DECLINE)),
  ],
);
