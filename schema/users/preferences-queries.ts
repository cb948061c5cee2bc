import { eq, sql } from 'drizzle-orm';
import type { PreferencesRequest } from '../api/preferences.ts';
import type { Db } from '../db.ts';
import { users } from './table.ts';

const shown = {
  email: users.email,
  calendarTimeZone: users.calendarTimeZone,
  preferences: users.preferences,
  weights: users.weights,
  onboardingCompleted: users.onboardingCompleted,
  createdAt: users.createdAt,
};

/** A user with what they set; undefined for an id that is no user's. */
export async function findPreferences(db: Db, userId: string) {
  const [user] = await db.select(shown).from(users).where(eq(users.id, userId));
  return user;
}

/** Statement: lays the given fields over what is stored, work hours day by day; answers the whole. */
export function mergePreferences(db: Db, { userId, given }: { userId: string; given: PreferencesRequest }) {
  const { work_hours: days, ...fields } = given;
  const merged = sql`${users.preferences} || ${JSON.stringify(fields)}::jsonb`;
  const withDays = sql`${merged} || jsonb_build_object('work_hours',
    coalesce(${users.preferences} -> 'work_hours', '{}'::jsonb) || ${JSON.stringify(days)}::jsonb)`;
  return db
    .update(users)
    .set({
      preferences: days === undefined ? merged : withDays,
      ...(Object.keys(given).length === 0 ? {} : { onboardingCompleted: true }),
    })
    .where(eq(users.id, userId))
    .returning(shown);
}
