import { and, eq, sql } from 'drizzle-orm';
import type { SubscribedEvent } from '../api/webhook-events/names.ts';
import type { Db, Guard } from '../db.ts';
import { webhookEndpoints } from '../tables/webhook-endpoints.ts';

/** Builds a statement that inserts a platform's first webhook endpoint. The caller passes `secret` encrypted. */
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

/** Builds a statement that selects the URL of a platform's webhook, if any, and its `enabled` setting. */
export const selectDestination = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ url: webhookEndpoints.url, enabled: webhookEndpoints.enabled })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.platformId, platformId));

/** Returns an SQL condition that is true if the platform has no webhook, or has a webhook with another URL. */
export const hasOtherUrl = (platformId: string, url: string): Guard =>
  sql`not exists (select 1 from webhook_endpoints w where w.platform_id = ${platformId} and w.url = ${url})`;

/** Returns an SQL condition that is true if the platform's webhook has another value for one of the given settings. */
export const hasOtherSettings = (platformId: string, given: EndpointSettings): Guard => {
  const { enabled, events, maxRetries, timeoutSeconds } = given;
  const others = [
    ...(enabled === undefined ? [] : [sql`w.enabled <> ${enabled}`]),
    ...(events === undefined
      ? []
      : [sql`w.events is distinct from array(select jsonb_array_elements_text(${JSON.stringify(events)}::jsonb))`]),
    ...(maxRetries === undefined ? [] : [sql`w.max_retries <> ${maxRetries}::int`]),
    ...(timeoutSeconds === undefined ? [] : [sql`w.timeout_seconds <> ${timeoutSeconds}::int`]),
  ];
  return sql`exists (select 1 from webhook_endpoints w where w.platform_id = ${platformId}
    and (${others.length === 0 ? sql`false` : sql.join(others, sql` or `)}))`;
};

/** Returns an SQL condition that is true if this encrypted secret signs the platform's deliveries now. */
export const hasSecret = (platformId: string, secret: string): Guard =>
  sql`exists (select 1 from webhook_endpoints w where w.platform_id = ${platformId} and w.secret = ${secret})`;

/** Settings of a webhook endpoint to change. A field that is left out keeps its value. */
export interface EndpointSettings {
  enabled?: boolean | undefined;
  events?: SubscribedEvent[] | undefined;
  maxRetries?: number | undefined;
  timeoutSeconds?: number | undefined;
}

/** Builds a statement that changes the settings of a platform's webhook endpoint. Returns no row if it has none. */
export const updateEndpoint = (
  db: Db,
  { platformId, now, ...settings }: EndpointSettings & { platformId: string; now: number },
) =>
  db
    .update(webhookEndpoints)
    .set({ ...settings, updatedAt: now })
    .where(eq(webhookEndpoints.platformId, platformId))
    .returning(columns);

/** Largest number of previous secrets that sign deliveries in addition to the current one. */
const MOST_FORMER_SECRETS = 5;

/**
 * Returns SQL for a webhook's list of previous signing secrets after the current secret joins the list. The SQL keeps
 * the secrets that are still valid, newest first.
 */
const replaced = (validUntil: number, now: number) => sql`(
  select coalesce(jsonb_agg(former.entry order by former.place), '[]') from (
    select entry, place from jsonb_array_elements(
      jsonb_build_array(jsonb_build_object('secret', ${webhookEndpoints.secret}, 'validUntil', ${validUntil}::bigint))
        || ${webhookEndpoints.previousSecrets}) with ordinality as listed (entry, place)
    where (entry ->> 'validUntil')::bigint > ${now}::bigint
    order by place limit ${MOST_FORMER_SECRETS}::int) former)`;

/**
 * Builds a statement that sets the URL of a platform's webhook. If the URL is new, the encrypted `secret` becomes the
 * current secret, and the former one becomes a previous secret. If the URL is unchanged, the secrets stay.
 */
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

/**
 * Builds a statement that replaces a webhook's encrypted signing secret `from` with `to`. `from` stays valid until
 * `validUntil`. Returns no row if `from` was already replaced.
 */
export const replaceSecret = (
  db: Db,
  {
    platformId,
    from,
    to,
    validUntil,
    now,
  }: { platformId: string; from: string; to: string; validUntil: number; now: number },
) =>
  db
    .update(webhookEndpoints)
    .set({ secret: to, previousSecrets: replaced(validUntil, now), updatedAt: now })
    .where(and(eq(webhookEndpoints.platformId, platformId), eq(webhookEndpoints.secret, from)))
    .returning({ platformId: webhookEndpoints.platformId });
