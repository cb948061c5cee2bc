import { eq, sql } from 'drizzle-orm';
import type { OnDecline } from '../api/platform.ts';
import type { Db } from '../db.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { platforms } from './table.ts';

/** A new platform. */
export function insertPlatform(db: Db, platform: typeof platforms.$inferInsert) {
  return db.insert(platforms).values(platform);
}

/** Statement: a platform's settings, with the URL of its webhook and the sealed secret, null where it has none. */
export const selectSettings = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      name: platforms.name,
      email: platforms.email,
      plan: platforms.plan,
      redirectUris: platforms.redirectUris,
      onDecline: platforms.onDecline,
      webhookUrl: webhookEndpoints.url,
      webhookSecret: webhookEndpoints.secret,
    })
    .from(platforms)
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.platformId, platforms.id))
    .where(eq(platforms.id, platformId));

/** Statement: changes what is given and no more. */
export const updatePlatform = (
  db: Db,
  {
    platformId,
    ...given
  }: { platformId: string; redirectUris: string[] | undefined; onDecline: OnDecline | undefined },
) =>
  db
    .update(platforms)
    .set({
      redirectUris: given.redirectUris ?? sql`${platforms.redirectUris}`,
      onDecline: given.onDecline ?? sql`${platforms.onDecline}`,
    })
    .where(eq(platforms.id, platformId));
