import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, refersTo } from '../columns.ts';
import { users } from './users.ts';

/** Table of users' grants at the calendar provider. Tokens are encrypted with AES-GCM. */
export const calendarAccounts = pgTable(
  'calendar_accounts',
  {
    userId: refersTo('user_id', () => users.id).primaryKey(),
    /** Stable account id from the provider. It identifies the person, and the email address does not. */
    providerId: text('provider_id').notNull(),
    status: text().$type<'connected' | 'needs_reauthorization' | 'disconnected'>().notNull(),
    refreshToken: text('refresh_token'),
    accessToken: text('access_token'),
    accessExpiresAt: instant('access_expires_at'),
    scope: text().notNull(),
    /** Null for only the main one. Encrypted, because a calendar's id is often a person's address. */
    calendars: text(),
    /** Hashes, or `primary`, tell which calendars are watched without the ids, which are often addresses. */
    calendarMarks: text('calendar_marks').array().notNull().default(['primary']),
    /** Rises with every consent, and whenever one is needed. A revocation stores it, and never ends a newer grant. */
    generation: integer().notNull().default(1),
    reauthorizationNeededSince: instant('reauthorization_needed_since'),
    /**
     * Consents of the person that may be in progress. Each consent's id is mapped to the time, in epoch milliseconds,
     * until which Tandem waits for it. A grant that ends before that time is revoked at the provider only after it.
     */
    consents: jsonb().$type<Record<string, number>>().notNull().default({}),
    refreshOwner: text('refresh_owner'),
    refreshLeaseUntil: instant('refresh_lease_until'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('calendar_accounts_status', sql`${t.status} in ('connected', 'needs_reauthorization', 'disconnected')`),
    check('calendar_accounts_tokens', sql`${t.status} <> 'connected' or ${t.refreshToken} is not null`),
    // Index for `findPeople`. Also allows one user per account at the provider.
    uniqueIndex('calendar_accounts_provider').on(t.providerId),
    // Index for `listOverdueReauthorizations`.
    index('calendar_accounts_reauthorization')
      .on(t.reauthorizationNeededSince)
      .where(sql`${t.status} = 'needs_reauthorization'`),
  ],
);

/** The provider sends a push, with the channel's secret, whenever a calendar changes, until the channel expires. */
export const watchChannels = pgTable(
  'watch_channels',
  {
    id: text().primaryKey(),
    userId: refersTo('user_id', () => calendarAccounts.userId, { onDelete: 'cascade' }),
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

/**
 * Holds people's busy times as the calendar provider last returned them: merged intervals without titles and ids.
 * Searches may use a row while no change of the calendar is known since its read, `synced_gen = dirty_gen`.
 */
export const busySnapshots = pgTable(
  'busy_snapshots',
  {
    userId: refersTo('user_id', () => calendarAccounts.userId, { onDelete: 'cascade' }).primaryKey(),
    /** The platform that the person connected to last, or else the person. The sweep serves these in turn. */
    turnOf: text('turn_of').notNull(),
    /** Rises with every hint that the calendar changed, and with every failed read. */
    dirtyGen: integer('dirty_gen').notNull().default(1),
    /** The value of `dirty_gen` when the last successful read of the calendar began. */
    syncedGen: integer('synced_gen').notNull().default(0),
    /** One flat list in order: start, end, start, end … in epoch milliseconds. No two intervals touch. */
    busy: jsonb().$type<number[]>().notNull().default([]),
    coversFrom: instant('covers_from'),
    coversUntil: instant('covers_until'),
    /** Time at which the last successful read of the calendar began. */
    readAt: instant('read_at'),
    failures: integer().notNull().default(0),
    /** Time at which a platform last asked for the person's busy times, precise to the hour. */
    usedAt: instant('used_at').notNull(),
    dueAt: instant('due_at').notNull(),
    /** The provider's sync token, with which the next query returns only the changes since the last. */
    eventToken: text('event_token'),
    /** The provider may then next be asked for a watch channel, which pushes the calendar's changes. */
    watchAt: instant('watch_at').notNull(),
    owner: text(),
    leaseUntil: instant('lease_until'),
  },
  (t) => [
    check(
      'busy_snapshots_read',
      sql`${t.syncedGen} = 0 or (${t.readAt}, ${t.coversFrom}, ${t.coversUntil}) is not null`,
    ),
    check('busy_snapshots_generations', sql`${t.syncedGen} <= ${t.dirtyGen}`),
    // Index for `takeDueSnapshots`.
    index('busy_snapshots_due').on(t.turnOf, t.dueAt),
  ],
);

/**
 * Deleted once the provider has revoked the grant. A person has one grant at the provider, so a running revocation
 * would also end a new consent: the two never run at the same time.
 */
export const revocations = pgTable(
  'revocations',
  {
    providerId: text('provider_id').primaryKey(),
    userId: refersTo('user_id', () => users.id),
    /** A person who consents again is recognized by it until their account at the provider is known. */
    email: text().notNull(),
    /** The platform that the person connected to last, or else the person. The sweep serves these in turn. */
    turnOf: text('turn_of').notNull(),
    /** Generation number that the account had while it had this grant. A newer grant has another number. */
    generation: integer().notNull(),
    /** Encrypted refresh token of the ended grant. It is stored nowhere else. */
    token: text().notNull(),
    attempts: integer().notNull().default(0),
    owner: text(),
    leaseUntil: instant('lease_until'),
    /** Set while the person is giving a new consent, which an earlier revocation would end too. */
    heldUntil: instant('held_until'),
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    // Index for `listDueRevocations`.
    index('revocations_due').on(t.turnOf, t.dueAt),
    // Index for `deleteOldRevocations`.
    index('revocations_age').on(t.createdAt),
    index('revocations_email').on(t.email),
  ],
);
