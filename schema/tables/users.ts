import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { StoredPreferences } from '../api/preferences.ts';
import { instant, isOneOf, refersTo } from '../columns.ts';
import { platforms } from './platforms.ts';

/** Weights of a user that Tandem has learned. A missing weight is 1. */
export interface StoredWeights {
  time_of_day_preference?: Record<string, number>;
  day_of_week_preference?: Record<string, number>;
  buffer_importance?: number;
}

/**
 * Found by email address in lower case. A deleted person gets an address that nobody has. Guests of a platform, who
 * never connected to it, are found by the platform and `guest_email`, and have an address in `email` that nobody has,
 * so nothing that one platform stores about a guest is visible to another.
 */
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** From the provider's settings, empty if unknown. The zone in the user's preferences overrides it. */
    calendarTimeZone: text('calendar_time_zone').notNull().default(''),
    /** Time at which Tandem last asked the calendar provider for the zone. Null for a guest. */
    zoneReadAt: instant('zone_read_at'),
    preferences: jsonb().$type<StoredPreferences>().notNull().default({}),
    /** Platform whose suggestion gave the preferences, and which of them the person has not set since. */
    suggestedBy: text('suggested_by').references(() => platforms.id),
    suggested: text().array().notNull().default(sql`'{}'`),
    weights: jsonb().$type<StoredWeights>().notNull().default({}),
    onboardingCompleted: boolean('onboarding_completed').notNull().default(false),
    /** Platform that invited the guest, and the guest's address. Null for a person who is not a guest. */
    guestOf: text('guest_of').references(() => platforms.id),
    guestEmail: text('guest_email'),
    createdAt: instant('created_at').notNull(),
    /** When the user was deleted: they deleted themselves, or their address went to another person. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('users_email').on(t.email),
    // Index for `listEndedUsers` and `deleteFormerUsers`.
    index('users_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    // Index for `guestId`, which allows each platform one guest of an address.
    uniqueIndex('users_guest').on(t.guestOf, t.guestEmail).where(sql`${t.guestOf} is not null`),
    check('users_guest_email', sql`(${t.guestOf} is null) = (${t.guestEmail} is null)`),
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
  ],
);

/** SQL for the time zone a person set, or otherwise their calendar's, which may be unknown. */
export const timeZone = sql<string>`coalesce(${users.preferences} ->> 'timezone', ${users.calendarTimeZone})`;

/** A hash of what a user set, and of their calendar's zone, which counts where they set none. */
export const preferencesVersion = sql<string>`md5(${users.preferences}::text || ${users.calendarTimeZone})`;

/** Each comes from a completed OAuth consent, and gives no access to another platform. */
export const connections = pgTable(
  'connections',
  {
    platformId: refersTo('platform_id', () => platforms.id),
    userId: refersTo('user_id', () => users.id),
    connectedAt: instant('connected_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    /** When the calendar was last read because of this platform. Another platform's read must not show. */
    syncedAt: instant('synced_at'),
    disconnectedAt: instant('disconnected_at'),
  },
  (t) => [
    primaryKey({ name: 'connections_pkey', columns: [t.platformId, t.userId] }),
    // Index for `isOnPage`, `countConnections`.
    index('connections_page').on(t.platformId, t.connectedAt, t.userId).where(sql`${t.disconnectedAt} is null`),
    // Includes the platform, so that this index also finds one connection of a person who has many.
    index('connections_user').on(t.userId, t.platformId),
  ],
);

const RULE_KINDS = ['times', 'buffer', 'most_per_day'] as const;
const RULE_SOURCES = ['scheduling_context'] as const;

/** Clock times are minutes since midnight, weekdays count from 0, Monday, and dates from 1970-01-01. */
export interface RulePart {
  verdict?: 'never' | 'rather_not' | 'prefer' | 'wanted' | 'unwanted';
  weekdays?: number[];
  clock?: { from: number; to: number };
  dates?: { first?: number; last?: number };
  minutes?: number;
  most?: number;
  contexts?: readonly string[];
}

/** Table of rules that hold in general, as Tandem read them in a person's own words. */
export const standingRules = pgTable(
  'standing_rules',
  {
    id: text().primaryKey(),
    userId: refersTo('user_id', () => users.id, { onDelete: 'cascade' }),
    /** When the text of this name changes, its new rules replace all the old ones. */
    source: text().$type<(typeof RULE_SOURCES)[number]>().notNull(),
    position: smallint().notNull(),
    kind: text().$type<(typeof RULE_KINDS)[number]>().notNull(),
    part: jsonb().$type<RulePart>().notNull(),
    quote: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    check('standing_rules_source', isOneOf(t.source, RULE_SOURCES)),
    check('standing_rules_kind', isOneOf(t.kind, RULE_KINDS)),
    check('standing_rules_part', sql`jsonb_typeof(${t.part}) = 'object'`),
    // Index for `rulesOfUser`.
    uniqueIndex('standing_rules_user').on(t.userId, t.source, t.position),
  ],
);

export const learningLedger = pgTable(
  'learning_ledger',
  {
    id: text().primaryKey(),
    userId: refersTo('user_id', () => users.id),
    source: text().$type<'reschedule' | 'scheduling_context'>().notNull(),
    meetingId: text('meeting_id'),
    pattern: text().notNull(),
    /** Path of the weight, such as `time_of_day_preference.morning`. */
    weight: text().notNull(),
    before: doublePrecision().notNull(),
    after: doublePrecision().notNull(),
    createdAt: instant('created_at').notNull(),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    check('learning_ledger_source', sql`${t.source} in ('reschedule', 'scheduling_context')`),
    check('learning_ledger_bounds', sql`${t.after} between 0.2 and 2 and ${t.before} between 0.2 and 2`),
    uniqueIndex('learning_ledger_once_per_meeting')
      .on(t.userId, t.meetingId, t.weight)
      .where(sql`${t.meetingId} is not null`),
    // Index for `deleteUndoneChanges`.
    index('learning_ledger_undone').on(t.undoneAt).where(sql`${t.undoneAt} is not null`),
    index('learning_ledger_user').on(t.userId, t.createdAt),
  ],
);
