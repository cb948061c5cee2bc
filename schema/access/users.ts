import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PreferencesRequest, StoredSuggestion } from '../api/preferences.ts';
import { pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { platforms } from '../tables/platforms.ts';
import { connections, preferencesVersion, timeZone, users } from '../tables/users.ts';
import { readable } from './calendar-accounts.ts';
import { lastSyncAt } from './connections.ts';
import { rulesOfUser } from './learning.ts';

/** The user with the address and that with the account can be nobody, one user or two different users. */
export const findPeople = (db: Db, of: { email: string; providerId: string; platformId: string | undefined }) =>
  db
    .select({
      ...pick(users, 'id', 'email', 'calendarTimeZone', 'preferences'),
      ...pick(calendarAccounts, 'providerId', 'status', 'calendars'),
      // A person who has set nothing and got no suggestion yet.
      isUnset: sql<boolean>`not ${users.onboardingCompleted} and ${users.suggestedBy} is null`,
      isKnown: isKnown({ userId: sql`${users.id}`, platformId: of.platformId ?? '' }),
    })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      sql`${users.id} in (
        select u.id from ${users} u where u.email = ${of.email}
        union select a.user_id from ${calendarAccounts} a where a.provider_id = ${of.providerId})`,
    );

/** Only an erased user's part in meetings remains. Who connects again becomes a new user. */
export const isErased = sql`(${users.endedAt} is not null and not exists (
  select 1 from ${calendarAccounts} a where a.user_id = ${users.id}))`;

/** Inserts a user, or updates address and calendar zone. Does nothing for an erased user. */
export function saveUser(db: Db, input: { id: string; email: string; calendarTimeZone: string; now: number }) {
  const { now, ...user } = input;
  const { email, calendarTimeZone } = user;
  return db
    .insert(users)
    .values({ ...user, zoneReadAt: now, createdAt: now })
    .onConflictDoUpdate({
      target: users.id,
      set: { email, calendarTimeZone, zoneReadAt: now, endedAt: null },
      setWhere: sql`not ${isErased}`,
    });
}

export const hasAddress = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u where u.id = ${userId} and u.email = ${email})`;

/** The address can go to a new owner without ending anybody's access, because Tandem has none. */
export const holdsNothing = (userId: string, email: string): Guard =>
  sql`exists (select 1 from users u join calendar_accounts a on a.user_id = u.id
    where u.id = ${userId} and u.email = ${email} and a.status = 'disconnected')`;

export const endUser = (
  db: Db,
  input: { userId: string; email: string; formerAddress: string; now: number; guard?: Guard },
) =>
  db
    .update(users)
    .set({ email: input.formerAddress, endedAt: input.now })
    .where(and(eq(users.id, input.userId), eq(users.email, input.email), input.guard));

export const userIdOf = (email: string | SQL) => sql<string>`(select id from users where email = ${email})`;

/** Must come first in a batch that depends on the user's data, so that these run one at a time per user. */
export const lockUser = (db: Db, userId: string) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

export async function findUserStatus(db: Db, input: { platformId: string; email: string }) {
  const [status] = await db
    .select({
      email: users.email,
      accountStatus: calendarAccounts.status,
      lastSyncAt,
      disconnectedAt: connections.disconnectedAt,
    })
    .from(users)
    .innerJoin(
      connections,
      sql`${connections.userId} = ${users.id} and ${connections.platformId} = ${input.platformId}`,
    )
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.email, input.email));
  return status;
}

export const shown = {
  ...pick(users, 'email', 'calendarTimeZone', 'preferences', 'weights', 'onboardingCompleted', 'createdAt'),
  rules: rulesOfUser,
};

export const selectUser = (db: Db, userId: string) =>
  db
    .select({ id: users.id, email: users.email, status: calendarAccounts.status, ...readable })
    .from(users)
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

export const selectHabits = (db: Db, userId: string) =>
  db
    .select({ ...pick(users, 'email', 'calendarTimeZone', 'preferences'), rules: rulesOfUser })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.endedAt)));

export async function findWholeUser(db: Db, userId: string) {
  const { providerId, status, scope, calendars } = calendarAccounts;
  const [user] = await db
    .select({ ...shown, id: users.id, providerId, status, scope, calendars })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
  return user;
}

export async function findTimeZone(db: Db, email: string): Promise<string | undefined> {
  const [user] = await db.select({ timeZone }).from(users).where(eq(users.email, email));
  return user?.timeZone;
}

/** Stores only that it was read if undefined. The zone in the user's preferences still goes before it. */
export const saveCalendarZone = (db: Db, of: { userId: string; timeZone: string | undefined; now: number }) =>
  db
    .update(users)
    .set({ zoneReadAt: of.now, ...(of.timeZone !== undefined && { calendarTimeZone: of.timeZone }) })
    .where(and(eq(users.id, of.userId), isNull(users.endedAt)));

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

function keptPreferences({ timezone, holidays }: PreferencesChange) {
  const zoned = timezone === null ? sql`(${users.preferences} - 'timezone')` : sql`${users.preferences}`;
  return holidays === null ? sql`(${zoned} - 'holidays')` : zoned;
}

/** Accepts any version if `expected` is missing, but no deleted user. */
export const hasPreferences = ({ userId, expected }: { userId: string; expected?: string | undefined }): Guard =>
  sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.endedAt} is null
    and ${preferencesVersion} = ${expected ?? preferencesVersion})`;

/** Merges work hours day by day. Returns no row if the version is no longer `expected`, unless nothing would change. */
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

interface Suggestion {
  userId: string;
  platformId: string;
  suggested: StoredSuggestion;
  /** The suggested hours on all seven days, as the person's form sends them, so that saving the form changes none. */
  week: NonNullable<StoredSuggestion['work_hours']>;
}

/** Changes nothing for a person who has set a preference or whom a platform knows, so it comes before the connection. */
export const suggestPreferences = (db: Db, { userId, platformId, suggested, week }: Suggestion) =>
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

/** True if the person was ever connected to this platform, or is connected to another, whose searches include them. */
export const isKnown = ({ userId, platformId }: { userId: string | SQL; platformId: string }) =>
  sql<boolean>`exists (select 1 from ${connections} c where c.user_id = ${userId}
    and (c.platform_id = ${platformId} or c.disconnected_at is null))`;
