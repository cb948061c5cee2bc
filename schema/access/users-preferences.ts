import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PreferencesRequest, StoredSuggestion } from '../api/preferences.ts';
import type { Db, Guard } from '../db.ts';
import { connections } from '../tables/connections.ts';
import { platforms } from '../tables/platforms.ts';
import { preferencesVersion, timeZone, users } from '../tables/users.ts';
import { shown } from './users-find.ts';

export async function findTimeZone(db: Db, email: string): Promise<string | undefined> {
  const [user] = await db.select({ timeZone }).from(users).where(eq(users.email, email));
  return user?.timeZone;
}

/** Stores only that it was read if undefined. The zone in the user's preferences still goes before it. */
export const saveCalendarZone = (
  db: Db,
  { userId, timeZone, now }: { userId: string; timeZone: string | undefined; now: number },
) =>
  db
    .update(users)
    .set({ zoneReadAt: now, ...(timeZone !== undefined && { calendarTimeZone: timeZone }) })
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

/** Returns undefined for an unknown or deleted user. */
export async function findPreferences(db: Db, userId: string) {
  const [user] = await db
    .select({ ...shown, version: preferencesVersion, suggested: users.suggested, suggestedBy: platforms.name })
    .from(users)
    .leftJoin(platforms, eq(platforms.id, users.suggestedBy))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
  return user;
}

/** A null removes the user's own setting, so the calendar's zone, or the holidays of the zone's country, apply. */
export type PreferencesChange = Omit<PreferencesRequest, Unsettable> & {
  [Name in Unsettable]?: string | null | undefined;
};
type Unsettable = 'timezone' | 'holidays';

/** Leaves out those that the change sets to null. */
function keptPreferences({ timezone, holidays }: PreferencesChange) {
  const zoned = timezone === null ? sql`(${users.preferences} - 'timezone')` : sql`${users.preferences}`;
  return holidays === null ? sql`(${zoned} - 'holidays')` : zoned;
}

/** Returns an SQL condition that is true if the user's preferences have the version, or for any of them without one. */
export const hasPreferences = ({ userId, expected }: { userId: string; expected?: string | undefined }): Guard =>
  sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.endedAt} is null
    and ${preferencesVersion} = ${expected ?? preferencesVersion})`;

/**
 * Builds a statement that merges the given fields into the user's stored preferences. Work hours are merged day by day.
 * Returns the user with the merged preferences, or no row if the preferences no longer have the expected version and the
 * fields would change them.
 */
export function mergePreferences(
  db: Db,
  { userId, given, expected }: { userId: string; given: PreferencesChange; expected?: string | undefined },
) {
  const { work_hours: days, ...fields } = given;
  const set = JSON.stringify({
    ...fields,
    timezone: fields.timezone ?? undefined,
    holidays: fields.holidays ?? undefined,
  });
  const merged = sql`${keptPreferences(given)} || ${set}::jsonb`;
  const withDays = sql`${merged} || jsonb_build_object('work_hours',
    coalesce(${users.preferences} -> 'work_hours', '{}'::jsonb) || ${JSON.stringify(days)}::jsonb)`;
  const preferences = days === undefined ? merged : withDays;
  return db
    .update(users)
    .set({
      preferences,
      suggested: sql`array(select s from unnest(${users.suggested}) s
        where (${preferences}) -> s is not distinct from ${users.preferences} -> s)`,
      ...(Object.keys(given).length === 0 ? {} : { onboardingCompleted: true }),
    })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.endedAt),
        expected === undefined
          ? undefined
          : sql`(${preferencesVersion} = ${expected} or ${preferences} = ${users.preferences})`,
      ),
    )
    .returning(shown);
}

/**
 * Builds a statement that gives a person what a platform suggests. Changes nothing for a person who has set a preference
 * or whom a platform knows, so it must come before the connection is stored. `week` has the suggested
 * hours on all seven days, as the person's form sends them, so that saving the form changes none.
 */
export const suggestPreferences = (
  db: Db,
  {
    userId,
    platformId,
    suggested,
    week,
  }: {
    userId: string;
    platformId: string;
    suggested: StoredSuggestion;
    week: NonNullable<StoredSuggestion['work_hours']>;
  },
) =>
  db
    .update(users)
    .set({
      preferences: sql`${users.preferences} ||
        ${JSON.stringify({ ...suggested, ...(suggested.work_hours && { work_hours: week }) })}::jsonb`,
      suggestedBy: platformId,
      suggested: Object.keys(suggested),
    })
    .where(
      and(
        eq(users.id, userId),
        eq(users.onboardingCompleted, false),
        isNull(users.suggestedBy),
        sql`not ${isKnown({ userId, platformId })}`,
      ),
    );

/** SQL for whether a person has ever been connected to the platform, or is connected to another, whose searches they are in. */
export const isKnown = ({ userId, platformId }: { userId: string | SQL; platformId: string }) =>
  sql<boolean>`exists (select 1 from ${connections} c where c.user_id = ${userId}
    and (c.platform_id = ${platformId} or c.disconnected_at is null))`;
