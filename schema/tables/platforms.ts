import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ON_DECLINE, type OnDecline } from '../api/platform.ts';
import type { StoredSuggestion } from '../api/preferences.ts';
import { ACTOR_KINDS, type ActorKind, AUDIT_ACTIONS, type AuditAction, OWN_ACTIONS } from '../api/states.ts';
import { instant, isOneOf, pick, refersTo } from '../columns.ts';

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
    defaultPreferences: jsonb('default_preferences').$type<StoredSuggestion>(),
    createdAt: instant('created_at').notNull(),
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

export const PLATFORM = { ...pick(platforms, 'id', 'name', 'email', 'plan', 'redirectUris') };

/** Says who changed what. Each row is written in the batch of the change it records. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: text().primaryKey(),
    at: instant().notNull(),
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

/** Meetings in a UTC month (`YYYY-MM`). A constraint refuses meetings beyond the quota. */
export const usage = pgTable(
  'usage',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    month: text().notNull(),
    /** Number of confirmed meetings, and of bookings and replacements of an attendee that are still in progress. */
    used: integer().notNull(),
    /** Bookings that succeeded, and replacements of an attendee, which count like a new meeting. */
    confirmed: integer().notNull().default(0),
    /** Largest number of meetings in the month, null if unlimited. */
    quota: integer(),
  },
  (t) => [
    primaryKey({ name: 'usage_pkey', columns: [t.platformId, t.month] }),
    check(
      'usage_within_quota',
      sql`${t.confirmed} between 0 and ${t.used} and (${t.quota} is null or ${t.used} <= ${t.quota})`,
    ),
  ],
);

/** Table of usage thresholds, such as 80% of the quota, whose webhook event was already sent in a month. */
export const usageNotices = pgTable(
  'usage_notices',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    month: text().notNull(),
    percentage: integer().notNull(),
    eventId: text('event_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_notices_pkey', columns: [t.platformId, t.month, t.percentage] }),
    check('usage_notices_percentage', sql`${t.percentage} in (80, 100)`),
  ],
);

/** A meeting counts in the UTC month (`YYYY-MM`) in which it was made, for its platform and its people. */
export const meetingMonths = pgTable(
  'meeting_months',
  {
    /** Id of the platform or person whose meetings are counted. */
    party: text().notNull(),
    month: text().notNull(),
    /** Number of meetings made. A meeting and its replacements count as one. */
    made: integer().notNull(),
    rescheduled: integer().notNull(),
    cancelled: integer().notNull(),
    accepted: integer().notNull(),
    /** Number of invitations that were accepted within two hours. */
    acceptedFast: integer('accepted_fast').notNull(),
    /** Sum of the times from invitation to acceptance of all accepted invitations, in milliseconds. */
    acceptedMs: bigint('accepted_ms', { mode: 'number' }).notNull(),
    /** Live meetings by their start on the person's clock. A platform has 0. */
    morning: integer().notNull(),
    afternoon: integer().notNull(),
    evening: integer().notNull(),
  },
  (t) => [primaryKey({ name: 'meeting_months_pkey', columns: [t.party, t.month] })],
);

export type IdempotentOperation =
  | 'schedule'
  | 'schedule.auto'
  | 'schedule.batch'
  | 'update'
  | 'cancel'
  | 'reschedule'
  | 'propose';

/** One row per platform, operation and key guarantees that a repeated request does nothing twice. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    operation: text().$type<IdempotentOperation>().notNull(),
    key: text().notNull(),
    /** SHA-256 of method, path and canonical body, which tells a retry from another request under the key. */
    fingerprint: text().notNull(),
    state: text().$type<'started' | 'done'>().notNull(),
    owner: text().notNull(),
    leaseUntil: instant('lease_until').notNull(),
    /** Meeting or job that the first request created. A retry continues with it. */
    resourceId: text('resource_id'),
    status: integer(),
    body: text(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.platformId, t.operation, t.key] }),
    check('idempotency_keys_state', sql`${t.state} in ('started', 'done')`),
    check('idempotency_keys_answer', sql`(${t.state} = 'done') = (${t.status} is not null and ${t.body} is not null)`),
    index('idempotency_keys_resource').on(t.resourceId),
    index('idempotency_keys_age').on(t.createdAt),
  ],
);
