import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { ACTOR_KINDS, type ActorKind, AUDIT_ACTIONS, type AuditAction, OWN_ACTIONS } from '../api/audit-actions.ts';
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

/** Says who changed what. Each row is written in the batch of the change it records. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: text().primaryKey(),
    at: instant().notNull(),
    /** Platform that the change concerns. The row is shown in this platform's audit log. */
    platformId: text('platform_id').references(() => platforms.id),
    /** Person that the change concerns. There is no foreign key, because the row may outlive the person's row. */
    userId: text('user_id'),
    action: text().$type<AuditAction>().notNull(),
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    /** Masked API key, session, name of the operator or id of the person that made the change. */
    actor: text().notNull(),
    /** Address block that the request came from: an IPv4 /24 or an IPv6 /64. */
    network: text(),
    requestId: text('request_id').notNull(),
    /** Facts of the change, such as the plan before and after. They contain no personal data. */
    details: jsonb().$type<Record<string, string>>().notNull().default({}),
  },
  (t) => [
    check('audit_log_about', sql`${t.platformId} is not null or ${t.userId} is not null`),
    check('audit_log_action', isOneOf(t.action, [...AUDIT_ACTIONS, ...OWN_ACTIONS])),
    check('audit_log_actor', isOneOf(t.actorKind, ACTOR_KINDS)),
    // Index for `listAudit`.
    index('audit_log_platform').on(t.platformId, t.at, t.id).where(sql`${t.platformId} is not null`),
    // Index for `forgetNetworks`.
    index('audit_log_user').on(t.userId).where(sql`${t.userId} is not null`),
    // Index for `deleteOldAudit`.
    index('audit_log_at').on(t.at),
  ],
);
