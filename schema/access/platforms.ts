import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { SuggestedPreferences } from '../api/preferences.ts';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { webhookEndpoints } from '../tables/deliveries.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { connections } from '../tables/users.ts';

export const insertPlatform = (db: Db, platform: typeof platforms.$inferInsert) =>
  db.insert(platforms).values(platform);

/** The webhook's URL and encrypted secret are null if the platform has no webhook. */
export const selectSettings = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      ...pick(platforms, 'name', 'email', 'plan', 'redirectUris', 'onDecline', 'logoUrl', 'defaultPreferences'),
      webhookUrl: webhookEndpoints.url,
      webhookSecret: webhookEndpoints.secret,
    })
    .from(platforms)
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.platformId, platforms.id))
    .where(eq(platforms.id, platformId));

export async function findActivePlatform(db: Db, { platformId }: { platformId: string }) {
  const [platform] = await db
    .select(PLATFORM)
    .from(platforms)
    .where(and(eq(platforms.id, platformId), isNull(platforms.suspendedAt)));
  return platform;
}

export const isActive = (platformId: SQL): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId} and p.suspended_at is null)`;

/** Comes first where a key or settings change, so that these run in turn. New meetings do not wait for it. */
export const lockPlatform = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId)).for('no key update');

/** The batch and a suspension wait for each other: it ends what the batch makes, or the batch sees it. */
export const lockActive = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId)).for('share');

interface Settings extends Pick<typeof platforms.$inferSelect, 'redirectUris' | 'onDecline' | 'logoUrl'> {
  defaultPreferences: SuggestedPreferences | null;
}

export const hasOther = <Name extends keyof Settings>(platformId: string, name: Name, value: Settings[Name]): Guard =>
  sql`exists (select 1 from ${platforms} where ${platforms.id} = ${platformId}
    and ${platforms[name]} is distinct from ${sql.param(value, platforms[name])})`;

type GivenSettings = { [Name in keyof Settings]: Settings[Name] | undefined };

export const updatePlatform = (
  db: Db,
  { platformId, redirectUris, defaultPreferences, ...given }: GivenSettings & { platformId: string },
) =>
  db
    .update(platforms)
    .set({
      ...given,
      // A statement must set something, even if no setting is given.
      redirectUris: redirectUris ?? sql`${platforms.redirectUris}`,
      defaultPreferences: defaultPreferences && sql`${JSON.stringify(defaultPreferences)}::jsonb`,
    })
    .where(eq(platforms.id, platformId));

export const listPlatforms = (db: Db) =>
  db
    .select({
      ...pick(platforms, 'id', 'name', 'email', 'plan', 'createdAt', 'suspendedAt', 'endedAt'),
      people:
        sql`(select count(*) from ${connections} c where c.platform_id = ${platforms.id} and c.disconnected_at is null)`.mapWith(
          Number,
        ),
      meetings: sql`(select count(*) from meetings m where m.platform_id = ${platforms.id})`.mapWith(Number),
    })
    .from(platforms)
    .orderBy(asc(platforms.createdAt), asc(platforms.id));

export async function findPlatformFacts(db: Db, { platformId, now }: { platformId: string; now: number }) {
  const [platform] = await listPlatforms(db).where(eq(platforms.id, platformId));
  if (platform === undefined) return undefined;
  const { rows } = await db.execute<Record<string, string | number | null>>(sql`
    select
      (select string_agg(k.masked || case when k.revoked_at is null then '' else ' until ' || to_char(k.revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') end, ', ' order by k.revoked_at nulls first)
        from api_keys k where k.platform_id = ${platformId} and k.kind = 'secret'
          and (k.revoked_at is null or k.revoked_at > ${at(now)})) as secret_keys,
      (select count(*)::int from sessions s where s.platform_id = ${platformId} and s.opened_at is not null
        and s.ended_at is null and s.expires_at > ${at(now)}) as open_sessions,
      (select w.url from webhook_endpoints w where w.platform_id = ${platformId}) as webhook_url,
      (select array_to_string(p.redirect_uris, ', ') from platforms p where p.id = ${platformId}) as redirect_uris,
      (select count(*)::int from jobs j where j.platform_id = ${platformId} and j.status = 'processing') as jobs_processing,
      (select count(*)::int from deliveries d where d.platform_id = ${platformId} and d.status = 'pending') as deliveries_pending`);
  return { ...platform, ...rows[0] };
}

const isLeft = (platformId: string, condition: SQL): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId} and p.ended_at is null and ${condition})`;

/**
 * They guard changes, because the audit log must have no change without an effect. All are false for a deleted
 * platform. `otherwise` is true if the name or plan differs from the given one.
 */
export const platformIs = {
  there: (platformId: string) => isLeft(platformId, sql`true`),
  suspended: (platformId: string) => isLeft(platformId, sql`p.suspended_at is not null`),
  active: (platformId: string) => isLeft(platformId, sql`p.suspended_at is null`),
  otherwise: (platformId: string, { name, plan }: { name?: string; plan?: string }) =>
    isLeft(
      platformId,
      sql`(p.name <> coalesce(${name ?? null}::text, p.name) or p.plan <> coalesce(${plan ?? null}::text, p.plan))`,
    ),
};

export const platformsOwn = (column: 'name' | 'plan', platformId: string) =>
  sql`select p.${sql.raw(column)} from platforms p where p.id = ${platformId}`;

/** Only an operator changes these. */
interface PlatformChange {
  platformId: string;
  name?: string;
  plan?: string;
  suspendedAt?: number | null;
}

export const changePlatform = (db: Db, { platformId, suspendedAt, ...set }: PlatformChange) =>
  db
    .update(platforms)
    .set({
      ...set,
      // Suspending a platform that is suspended already keeps the time of the first suspension.
      ...(typeof suspendedAt === 'number'
        ? { suspendedAt: sql`coalesce(${platforms.suspendedAt}, ${at(suspendedAt)})` }
        : {}),
      ...(suspendedAt === null ? { suspendedAt } : {}),
    })
    .where(and(eq(platforms.id, platformId), isNull(platforms.endedAt)))
    .returning({ id: platforms.id });

/** The row and the name stay. `email` replaces the contact address, and the redirect URIs go. */
export const endPlatform = (db: Db, { platformId, email, now }: { platformId: string; email: string; now: number }) =>
  db
    .update(platforms)
    .set({ endedAt: now, suspendedAt: sql`coalesce(${platforms.suspendedAt}, ${at(now)})`, email, redirectUris: [] })
    .where(and(eq(platforms.id, platformId), isNull(platforms.endedAt)))
    .returning({ id: platforms.id });

export const deleteEndpoint = (db: Db, { platformId }: { platformId: string }) =>
  db.execute(sql`delete from webhook_endpoints where platform_id = ${platformId}`);

export const closeDeliveries = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db.execute(sql`
    update deliveries set status = 'failed', error = 'the platform was deleted', finished_at = ${at(now)},
      next_attempt_at = null, asked_at = null, owner = null, lease_until = null
    where platform_id = ${platformId} and status = 'pending'`);

/** Leaves jobs that have begun to book a meeting. */
export const failJobs = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db.execute(sql`
    update jobs set status = 'failed', completed_at = ${at(now)}, owner = null, lease_until = null, next_run_at = null,
      result = jsonb_build_object('job_id', id, 'success', false, 'error_code', 'INTERNAL_ERROR',
        'error_message', 'The platform was deleted.', 'attendees', request -> 'attendees',
        'metadata', coalesce(request -> 'metadata', '{}'::jsonb), 'suggestions', '[]'::jsonb,
        'processing_time_ms', floor(extract(epoch from ${at(now)} - created_at) * 1000)::bigint)
    where platform_id = ${platformId} and status = 'processing'
      and not exists (select 1 from meetings m where m.job_id = jobs.id)`);

export async function listConnectedIds(db: Db, { platformId }: { platformId: string }): Promise<string[]> {
  const rows = await db
    .select({ userId: connections.userId })
    .from(connections)
    .where(and(eq(connections.platformId, platformId), isNull(connections.disconnectedAt)))
    .orderBy(asc(connections.userId));
  return rows.map(({ userId }) => userId);
}
