import { sql } from 'drizzle-orm';
import { check, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { ON_DECLINE, type OnDecline } from '../api/platform.ts';
import type { StoredSuggestion } from '../api/preferences.ts';
import { instant, isOneOf } from '../columns.ts';

/** Table of platforms that integrate Tandem. Each owns keys, connections, meetings, a webhook endpoint and a plan. */
export const platforms = pgTable(
  'platforms',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    plan: text().notNull(),
    redirectUris: text('redirect_uris').array().notNull().default(sql`'{}'`),
    onDecline: text('on_decline').$type<OnDecline>().notNull().default('notify'),
    /** HTTPS URL of the logo on the pages that ask people for access and offer them times. Null for a platform without one. */
    logoUrl: text('logo_url'),
    /** Preferences that it suggests to people new to Tandem. Null if it suggests none. */
    defaultPreferences: jsonb('default_preferences').$type<StoredSuggestion>(),
    createdAt: instant('created_at').notNull(),
    /** Time since which the operator has suspended the platform. Null for a platform that may work. */
    suspendedAt: instant('suspended_at'),
    /** Time at which the operator deleted the platform. Its row stays for the meetings and connections it had. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    check('platforms_plan', sql`${t.plan} in ('developer', 'starter', 'pro', 'growth', 'scale', 'enterprise')`),
    check('platforms_redirect_uris', sql`cardinality(${t.redirectUris}) <= 5`),
    check('platforms_on_decline', isOneOf(t.onDecline, ON_DECLINE)),
    check('platforms_ended', sql`${t.endedAt} is null or ${t.suspendedAt} is not null`),
  ],
);

export const PLATFORM = {
  id: platforms.id,
  name: platforms.name,
  email: platforms.email,
  plan: platforms.plan,
  redirectUris: platforms.redirectUris,
};
