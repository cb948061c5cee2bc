import { type SQL, sql } from 'drizzle-orm';
import { DEFAULT_EVENTS } from '../api/webhook-events/names.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';

export interface NewDelivery {
  id: string;
  eventId: string;
  platformId: string;
  eventType: string;
  meetingId?: string | undefined;
  body: string;
  now: number;
  guard?: Guard | undefined;
}

/** The endpoint chose no events. */
const isDefault = (names: readonly string[]) => sql.raw(String(DEFAULT_EVENTS.some((type) => names.includes(type))));

const wants = (endpoint: SQL, names: readonly string[]) => sql`
  ${endpoint}.enabled and (${endpoint}.events is null and ${isDefault(names)} or ${endpoint}.events && array[${sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  )}]::text[])`;

/** Inserts nothing if the platform's endpoint does not subscribe to the event. */
export function insertDelivery(db: Db, delivery: NewDelivery & { names: readonly string[] }) {
  const { names, guard } = delivery;
  return insertWhere(db, delivery, {
    maxAttempts: sql`max_retries`,
    replayable: true,
    wanted: sql`${wants(sql`webhook_endpoints`, names)} and ${guard ?? sql`true`}`,
  });
}

/** Needs no subscription, and is attempted once. Inserts nothing if the platform has no endpoint. */
export const insertTestDelivery = (db: Db, delivery: NewDelivery) =>
  insertWhere(db, delivery, { maxAttempts: sql`1`, replayable: false, wanted: sql`true` });

function insertWhere(
  db: Db,
  { id, eventId, platformId, eventType, meetingId, body, now }: NewDelivery,
  { maxAttempts, replayable, wanted }: { maxAttempts: SQL; replayable: boolean; wanted: SQL },
) {
  const written = at(now);
  return db.execute<Record<string, never>>(sql`
    insert into deliveries
      (id, event_id, platform_id, event_type, meeting_id, body, url, status, max_attempts, next_attempt_at, created_at,
        event_at)
    select ${id}::text, ${eventId}::text, platform_id, ${eventType}::text, ${meetingId ?? null}::text, ${body}::text, url,
      'pending',
      ${maxAttempts}, ${written}, ${written}, ${replayable ? written : sql`null`}
    from webhook_endpoints
    where platform_id = ${platformId} and ${wanted}`);
}

/** Postgres replaces these by values that differ between platforms. They are random so that no other text can match. */
export interface Placeholders {
  eventId: string;
  platformId: string;
  publishableKey: string;
  /** Instant at which the person connected to the platform. */
  connectedAt: string;
}

export interface FanOut {
  userId: string;
  eventType: string;
  /** JSON text of the event's envelope, with placeholders for values that differ between platforms. */
  template: string;
  placeholders: Placeholders;
  /** Random seed of 256 bits, from which the delivery and event ids of each platform are derived. */
  seed: string;
  now: number;
  guard?: Guard | undefined;
}

/**
 * Reads the connected and subscribed platforms when it runs. Returns the ids, each of which begins with its platform's
 * prefix, like those that `newDeliveryId` makes.
 */
export function insertDeliveriesToConnected(db: Db, fanOut: FanOut) {
  const { userId, eventType, template, placeholders, seed, guard } = fanOut;
  const written = at(fanOut.now);
  const idOf = (what: string) =>
    sql`left(translate(encode(sha256(convert_to(${`${seed}:${what}:`} || c.platform_id, 'UTF8')), 'base64'), '+/=', 'AB'), 20)`;
  return db.execute<{ id: string }>(sql`
    insert into deliveries
      (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at, event_at)
    select 'wh_del_' || substr(c.platform_id, 6, 8) || ${idOf('delivery')}, ids.event_id, c.platform_id, ${eventType}::text,
      replace(replace(replace(replace(${template}::text,
        ${placeholders.eventId}::text, ids.event_id),
        ${placeholders.connectedAt}::text, to_char(c.connected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        ${placeholders.platformId}::text, c.platform_id),
        ${placeholders.publishableKey}::text, coalesce(k.publishable_key, '')),
      w.url, 'pending', w.max_retries, ${written}, ${written}, ${written}
    from connections c
    join webhook_endpoints w on w.platform_id = c.platform_id and ${wants(sql`w`, [eventType])}
    left join api_keys k on k.platform_id = c.platform_id and k.kind = 'publishable' and k.revoked_at is null
    cross join lateral (select 'wh_' || ${idOf('event')} as event_id) ids
    where c.user_id = ${userId} and c.disconnected_at is null and ${guard ?? sql`true`}
    returning id`);
}
