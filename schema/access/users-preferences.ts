import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PreferencesRequest } from '../api/preferences.ts';
import type { Db } from '../db.ts';
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
    .select({ ...shown, version: preferencesVersion })
    .from(users)
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

/**
 * Builds a statement that merges the given fields into the user's stored preferences. Work hours are merged day by day.
 * Returns the user with the merged preferences, or no row if the preferences no longer have the expected version.
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
  return db
    .update(users)
    .set({
      preferences: days === undefined ? merged : withDays,
      ...(Object.keys(given).length === 0 ? {} : { onboardingCompleted: true }),
    })
    .where(
      and(
        eq(users.id, userId),
        isNull(users.endedAt),
        expected === undefined ? undefined : eq(preferencesVersion, expected),
      ),
    )
    .returning(shown);
}
