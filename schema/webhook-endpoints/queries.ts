import { and, eq, sql } from 'drizzle-orm';
import type { SubscribedEvent } from '../api/webhook-events.ts';
import type { Db } from '../db.ts';
import { webhookEndpoints } from './table.ts';

/** A platform's first endpoint; `secret` is sealed. */
export function insertEndpoint(db: Db, endpoint: { platformId: string; url: string; secret: string; now: number }) {
  const { now, ...values } = endpoint;
  return db.insert(webhookEndpoints).values({ ...values, updatedAt: now });
}

const columns = {
  url: webhookEndpoints.url,
  enabled: webhookEndpoints.enabled,
  events: webhookEndpoints.events,
  maxRetries: webhookEndpoints.maxRetries,
  timeoutSeconds: webhookEndpoints.timeoutSeconds,
  secret: webhookEndpoints.secret,
  previousSecrets: webhookEndpoints.previousSecrets,
};

export type EndpointRow = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

export async function findEndpoint(db: Db, { platformId }: { platformId: string }) {
  const [row] = await db.select(columns).from(webhookEndpoints).where(eq(webhookEndpoints.platformId, platformId));
  return row;
}

/** Statement: where a platform's events go, if anywhere was set, and whether they are sent. */
export const selectDestination = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ url: webhookEndpoints.url, enabled: webhookEndpoints.enabled })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.platformId, platformId));

/** What may be set; a field left out keeps its value. */
export interface EndpointSettings {
  enabled?: boolean | undefined;
  events?: SubscribedEvent[] | undefined;
  maxRetries?: number | undefined;
  timeoutSeconds?: number | undefined;
}

/** Changes settings of an endpoint there is; undefined when there is none. */
export async function updateEndpoint(
  db: Db,
  { platformId, now, ...settings }: EndpointSettings & { platformId: string; now: number },
) {
  const [row] = await db
    .update(webhookEndpoints)
    .set({ ...settings, updatedAt: now })
    .where(eq(webhookEndpoints.platformId, platformId))
    .returning(columns);
  return row;
}

/** Former secrets that sign beside the one in force. */
const MOST_FORMER_SECRETS = 5;

/** The former secrets once the one in force is replaced too: those still valid, newest first. */
const replaced = (validUntil: number, now: number) => sql`(
  select coalesce(jsonb_agg(former.entry order by former.place), '[]') from (
    select entry, place from jsonb_array_elements(
      jsonb_build_array(jsonb_build_object('secret', ${webhookEndpoints.secret}, 'validUntil', ${validUntil}::bigint))
        || ${webhookEndpoints.previousSecrets}) with ordinality as listed (entry, place)
    where (entry ->> 'validUntil')::bigint > ${now}::bigint
    order by place limit ${MOST_FORMER_SECRETS}::int) former)`;

/** Statement: sets the URL: a new one takes the sealed `secret` and keeps the former beside it; the same one keeps both. */
export function putEndpoint(
  db: Db,
  endpoint: EndpointSettings & { platformId: string; url: string; secret: string; overlapUntil: number; now: number },
) {
  const { overlapUntil, now, ...values } = endpoint;
  const { enabled, events, maxRetries, timeoutSeconds } = endpoint;
  const isNew = sql`${webhookEndpoints.url} <> excluded.url`;
  return db
    .insert(webhookEndpoints)
    .values({ ...values, updatedAt: now })
    .onConflictDoUpdate({
      target: webhookEndpoints.platformId,
      set: {
        url: sql`excluded.url`,
        enabled,
        events,
        maxRetries,
        timeoutSeconds,
        updatedAt: now,
        secret: sql`case when ${isNew} then excluded.secret else ${webhookEndpoints.secret} end`,
        previousSecrets: sql`case when ${isNew} then ${replaced(overlapUntil, now)} else ${webhookEndpoints.previousSecrets} end`,
      },
    })
    .returning(columns);
}

/** Replaces the sealed secret `from`, which stays valid beside `to` until then; false when it was replaced already. */
export async function replaceSecret(
  db: Db,
  {
    platformId,
    from,
    to,
    validUntil,
    now,
  }: { platformId: string; from: string; to: string; validUntil: number; now: number },
): Promise<boolean> {
  const rows = await db
    .update(webhookEndpoints)
    .set({ secret: to, previousSecrets: replaced(validUntil, now), updatedAt: now })
    .where(and(eq(webhookEndpoints.platformId, platformId), eq(webhookEndpoints.secret, from)))
    .returning({ platformId: webhookEndpoints.platformId });
  return rows.length > 0;
}
