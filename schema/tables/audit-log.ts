import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { ACTOR_KINDS, type ActorKind, AUDIT_ACTIONS, type AuditAction, OWN_ACTIONS } from '../api/audit-actions.ts';
import { instant, isOneOf } from '../columns.ts';
import { platforms } from './platforms.ts';

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
