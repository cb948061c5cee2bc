import { sql } from 'drizzle-orm';
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { StoredPreferences } from '../api/preferences.ts';
import { instant } from '../columns.ts';
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
    /**
     * It comes from the provider's settings, and is empty if unknown. The zone in the user's preferences overrides it.
     */
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
    /** Time at which the user was deleted: they deleted themselves, or their address went to another person. */
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
