import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { OnDecline } from '../api/platform.ts';
import type { SuggestedPreferences } from '../api/preferences.ts';
import type { Db, Guard } from '../db.ts';
import { webhookEndpoints } from '../tables/deliveries.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';

export function insertPlatform(db: Db, platform: typeof platforms.$inferInsert) {
  return db.insert(platforms).values(platform);
}

/**
 * Builds a statement that selects a platform's settings, with its webhook's URL and encrypted secret. The URL and the
 * secret are null if the platform has no webhook.
 */
export const selectSettings = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      name: platforms.name,
      email: platforms.email,
      plan: platforms.plan,
      redirectUris: platforms.redirectUris,
      onDecline: platforms.onDecline,
      logoUrl: platforms.logoUrl,
      defaultPreferences: platforms.defaultPreferences,
      webhookUrl: webhookEndpoints.url,
      webhookSecret: webhookEndpoints.secret,
    })
    .from(platforms)
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.platformId, platforms.id))
    .where(eq(platforms.id, platformId));

/** Returns undefined if it does not exist or is suspended. */
export async function findActivePlatform(db: Db, { platformId }: { platformId: string }) {
  const [platform] = await db
    .select(PLATFORM)
    .from(platforms)
    .where(and(eq(platforms.id, platformId), isNull(platforms.suspendedAt)));
  return platform;
}

/** A platform may work unless the operator has suspended it. */
export const isActive = (platformId: SQL): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId} and p.suspended_at is null)`;

/**
 * Comes first in a batch that replaces the key or changes the settings, so that these run one at a time. New meetings,
 * which only refer to the row, do not wait for it.
 */
export const lockPlatform = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId)).for('no key update');

/** The batch and a suspension wait for each other: it ends what the batch makes, or the batch sees it. */
export const lockActive = (db: Db, { platformId }: { platformId: string }) =>
  db.select({ id: platforms.id }).from(platforms).where(eq(platforms.id, platformId)).for('share');

export const hasOtherRedirectUris = (platformId: string, uris: string[]): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId}
    and p.redirect_uris <> array(select jsonb_array_elements_text(${JSON.stringify(uris)}::jsonb)))`;

export const hasOtherOnDecline = (platformId: string, onDecline: OnDecline): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId} and p.on_decline <> ${onDecline})`;

/** Returns an SQL condition that is true if the platform has another logo than this. Null stands for no logo. */
export const hasOtherLogo = (platformId: string, logoUrl: string | null): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId} and p.logo_url is distinct from ${logoUrl}::text)`;

/** Returns an SQL condition that is true if the platform suggests other preferences than these, or none. */
export const hasOtherDefaults = (platformId: string, defaults: SuggestedPreferences | null): Guard =>
  sql`exists (select 1 from platforms p where p.id = ${platformId}
    and p.default_preferences is distinct from ${defaults && JSON.stringify(defaults)}::jsonb)`;

export const updatePlatform = (
  db: Db,
  {
    platformId,
    ...given
  }: {
    platformId: string;
    redirectUris: string[] | undefined;
    onDecline: OnDecline | undefined;
    /** URL of the new logo, or null to remove the logo. */
    logoUrl: string | null | undefined;
    /** The preferences that it suggests, or null to suggest none. */
    defaultPreferences: SuggestedPreferences | null | undefined;
  },
) =>
  db
    .update(platforms)
    .set({
      redirectUris: given.redirectUris ?? sql`${platforms.redirectUris}`,
      onDecline: given.onDecline ?? sql`${platforms.onDecline}`,
      logoUrl: given.logoUrl === undefined ? sql`${platforms.logoUrl}` : given.logoUrl,
      defaultPreferences:
        given.defaultPreferences === undefined
          ? sql`${platforms.defaultPreferences}`
          : sql`${given.defaultPreferences && JSON.stringify(given.defaultPreferences)}::jsonb`,
    })
    .where(eq(platforms.id, platformId));
