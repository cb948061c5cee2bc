import { and, eq, sql } from 'drizzle-orm';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { deliveries, webhookEndpoints } from '../tables/deliveries.ts';

/** The caller passes `secret` encrypted. */
export function insertEndpoint(db: Db, endpoint: { platformId: string; url: string; secret: string; now: number }) {
  const { now, ...values } = endpoint;
  return db.insert(webhookEndpoints).values({ ...values, updatedAt: now });
}

/** From when the oldest event happened that has failed in the outage, so that a replay since then sends all. */
const failingSince = sql<number | null>`(
  select least(e.failing_since, min(d.event_at)) from webhook_endpoints e left join ${deliveries} d
    on d.platform_id = e.platform_id and d.event_at >= e.failing_since - interval '1 day'
      and (d.status = 'failed' and d.finished_at >= e.failing_since - interval '5 minutes' or d.status = 'pending' and d.redeliveries > 0)
  where e.platform_id = webhook_endpoints.platform_id and e.failing_since is not null
  group by e.platform_id)`.mapWith(webhookEndpoints.failingSince);

const columns = {
  ...pick(webhookEndpoints, 'url', 'enabled', 'events', 'maxRetries'),
  ...pick(webhookEndpoints, 'timeoutSeconds', 'secret', 'previousSecrets', 'redeliverHours'),
  failingSince,
  redeliverAt: webhookEndpoints.redeliverAt,
};

export type EndpointRow = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

export async function findEndpoint(db: Db, { platformId }: { platformId: string }) {
  const [row] = await db.select(columns).from(webhookEndpoints).where(eq(webhookEndpoints.platformId, platformId));
  return row;
}

export const selectDestination = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({
      url: webhookEndpoints.url,
      enabled: webhookEndpoints.enabled,
      failingSince,
      redeliverAt: sql<
        number | null
      >`case when ${webhookEndpoints.redeliverHours} > 0 then ${webhookEndpoints.redeliverAt} end`.mapWith(
        webhookEndpoints.redeliverAt,
      ),
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.platformId, platformId));

export const hasOtherUrl = (platformId: string, url: string): Guard =>
  sql`not exists (select 1 from webhook_endpoints w where w.platform_id = ${platformId} and w.url = ${url})`;

export const hasOtherSettings = (platformId: string, given: EndpointSettings): Guard => {
  const others = SETTINGS.flatMap((name) => {
    const column = webhookEndpoints[name];
    return given[name] === undefined ? [] : sql`${column} is distinct from ${sql.param(given[name], column)}`;
  });
  return sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.platformId} = ${platformId}
    and (${others.length === 0 ? sql`false` : sql.join(others, sql` or `)}))`;
};

export const hasSecret = (platformId: string, secret: string): Guard =>
  sql`exists (select 1 from webhook_endpoints w where w.platform_id = ${platformId} and w.secret = ${secret})`;

const SETTINGS = ['enabled', 'events', 'maxRetries', 'timeoutSeconds', 'redeliverHours'] as const;
type Row = typeof webhookEndpoints.$inferSelect;
export type EndpointSettings = { [Name in (typeof SETTINGS)[number]]?: NonNullable<Row[Name]> | undefined };

/** What waits to be sent again becomes due, if the endpoint has given up. */
const dueFrom = (now: number) =>
  sql`case when ${webhookEndpoints.redeliverFrom} is not null then coalesce(${webhookEndpoints.redeliverAt}, ${at(now)}) end`;

export const updateEndpoint = (
  db: Db,
  { platformId, now, ...settings }: EndpointSettings & { platformId: string; now: number },
) =>
  db
    .update(webhookEndpoints)
    .set({ ...settings, ...(settings.redeliverHours && { redeliverAt: dueFrom(now) }), updatedAt: now })
    .where(eq(webhookEndpoints.platformId, platformId))
    .returning(columns);

const MOST_FORMER_SECRETS = 5;

/** The current secret joins the list, which keeps those that are still valid, newest first. */
const replaced = (validUntil: number, now: number) => sql`(
  select coalesce(jsonb_agg(former.entry order by former.place), '[]') from (
    select entry, place from jsonb_array_elements(
      jsonb_build_array(jsonb_build_object('secret', ${webhookEndpoints.secret}, 'validUntil', ${validUntil}::bigint))
        || ${webhookEndpoints.previousSecrets}) with ordinality as listed (entry, place)
    where (entry ->> 'validUntil')::bigint > ${now}::bigint
    order by place limit ${MOST_FORMER_SECRETS}::int) former)`;

/** A new URL makes the encrypted `secret` the current one, and the former a previous one. The same URL keeps both. */
export function putEndpoint(
  db: Db,
  endpoint: EndpointSettings & { platformId: string; url: string; secret: string; overlapUntil: number; now: number },
) {
  const { platformId, url, secret, overlapUntil, now, ...settings } = endpoint;
  const isNew = sql`${webhookEndpoints.url} <> excluded.url`;
  return db
    .insert(webhookEndpoints)
    .values({ platformId, url, secret, ...settings, updatedAt: now })
    .onConflictDoUpdate({
      target: webhookEndpoints.platformId,
      set: {
        url: sql`excluded.url`,
        ...settings,
        // A new URL may be what ends an outage, so it is tried at once.
        redeliverAt: sql`case when ${isNew} and ${webhookEndpoints.redeliverFrom} is not null then ${at(now)} else ${webhookEndpoints.redeliverAt} end`,
        updatedAt: now,
        secret: sql`case when ${isNew} then excluded.secret else ${webhookEndpoints.secret} end`,
        previousSecrets: sql`case when ${isNew} then ${replaced(overlapUntil, now)} else ${webhookEndpoints.previousSecrets} end`,
      },
    })
    .returning(columns);
}

/** `from` stays valid until `validUntil`. Returns no row if `from` was already replaced. */
export const replaceSecret = (
  db: Db,
  of: { platformId: string; from: string; to: string; validUntil: number; now: number },
) =>
  db
    .update(webhookEndpoints)
    .set({ secret: of.to, previousSecrets: replaced(of.validUntil, of.now), updatedAt: of.now })
    .where(and(eq(webhookEndpoints.platformId, of.platformId), eq(webhookEndpoints.secret, of.from)))
    .returning({ platformId: webhookEndpoints.platformId });
