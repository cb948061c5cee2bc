import { sql } from 'drizzle-orm';
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { PreferencesRequest } from '../api/preferences.ts';
import { instant } from '../columns.ts';

/** What a user set, as they sent it; whatever is missing falls back to the defaults of the engine. */
export type StoredPreferences = Present<Omit<PreferencesRequest, 'work_hours'>> & {
  work_hours?: { [Day in keyof SetDays]?: Present<NonNullable<SetDays[Day]>> };
};
type SetDays = NonNullable<PreferencesRequest['work_hours']>;
type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Learned weights; a missing one is 1. */
export interface StoredWeights {
  time_of_day_preference?: Record<string, number>;
  day_of_week_preference?: Record<string, number>;
  buffer_importance?: number;
}

/** A person with a calendar, found by e-mail address in lower case; one that has ended has an address nobody has. */
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The zone the provider's settings name; a preference overrides it. */
    calendarTimeZone: text('calendar_time_zone').notNull().default('UTC'),
    preferences: jsonb().$type<StoredPreferences>().notNull().default({}),
    weights: jsonb().$type<StoredWeights>().notNull().default({}),
    onboardingCompleted: boolean('onboarding_completed').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    /** Since when nobody is this person here: their address went to another, or they deleted themselves. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('users_email').on(t.email),
    // listEndedUsers, eraseLateAddresses, deleteFormerUsers
    index('users_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
  ],
);
