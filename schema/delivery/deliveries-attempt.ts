import { and, eq, gt, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { DEFAULT_EVENTS } from '../api/webhook-events.ts';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { deliveries, deliveryAttempts, deliveryDays, TEST_EVENT_ID, webhookEndpoints } from '../tables/deliveries.ts';
import { takeInTurn } from '../tables/turns.ts';
import { noteEnd } from './deliveries-redeliver.ts';

type Row = typeof deliveries.$inferSelect;

interface NewDelivery extends Pick<Row, 'id' | 'eventId' | 'platformId' | 'eventType' | 'body'> {
  meetingId?: string | undefined;
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

/** Reads the connected and subscribed platforms when it runs. Returns ids as `newDeliveryId` makes them. */
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

/** These leave time for the DNS lookup and for recording the attempt, beyond the requests' timeouts. */
const LEASE_SLACK_SECONDS = 30;

export const unleased = (now: number) => or(isNull(deliveries.leaseUntil), lt(deliveries.leaseUntil, now));

export type LeasedDelivery = Awaited<ReturnType<typeof leaseDeliveries>>[number];

/**
 * Keeps other workers from attempting them, and sets the endpoint's current URL. Returns no row for a delivery that is
 * not due or is being attempted, or whose platform is suspended.
 */
export const leaseDeliveries = (db: Db, { ids, owner, now }: { ids: string[]; owner: string; now: number }) =>
  db
    .update(deliveries)
    .set({
      owner,
      leaseUntil: sql`${at(now)}
        + make_interval(secs => greatest(2, 1 + jsonb_array_length(${webhookEndpoints.previousSecrets}))
          * ${webhookEndpoints.timeoutSeconds} + ${LEASE_SLACK_SECONDS}::int)`,
      // The owner of a former URL must hear that a key, a secret or the URL itself was changed.
      url: sql`case when ${deliveries.eventType} = 'platform.security_changed' then ${deliveries.url} else ${webhookEndpoints.url} end`,
    })
    .from(webhookEndpoints)
    .where(
      and(
        inArray(deliveries.id, ids),
        isActive(sql`${deliveries.platformId}`),
        eq(webhookEndpoints.platformId, deliveries.platformId),
        eq(deliveries.status, 'pending'),
        lte(deliveries.nextAttemptAt, now),
        unleased(now),
      ),
    )
    .returning({
      id: deliveries.id,
      owner: sql<string>`${deliveries.owner}`,
      ...pick(deliveries, 'eventId', 'eventType', 'platformId', 'body', 'attempts', 'maxAttempts', 'createdAt', 'url'),
      ...pick(webhookEndpoints, 'enabled', 'timeoutSeconds', 'secret', 'previousSecrets'),
    });

/** Looks at pending deliveries only. Undefined if the time is not in the future. */
export async function findNextAttempt(db: Db, of: { ids: string[]; now: number }): Promise<number | undefined> {
  const [waiting] = await db
    .select({ at: deliveries.nextAttemptAt })
    .from(deliveries)
    .where(and(inArray(deliveries.id, of.ids), eq(deliveries.status, 'pending'), gt(deliveries.nextAttemptAt, of.now)))
    .orderBy(deliveries.nextAttemptAt)
    .limit(1);
  return waiting?.at ?? undefined;
}

type MadeAttempt = typeof deliveryAttempts.$inferSelect;

export interface Attempt
  extends Pick<MadeAttempt, 'number' | 'startedAt' | 'sentAt' | 'durationMs' | 'error' | 'answer'> {
  id: string;
  owner: string;
  code: number;
  /** The delivery's next attempt while it is pending, and otherwise its end. */
  outcome: { status: 'pending'; nextAttemptAt: number } | { status: 'success' | 'failed'; finishedAt: number };
}

/**
 * Ends the caller's lease, and does nothing if another worker has taken over. It is one statement, because its other
 * writes must happen only if it locked the delivery's row. `redeliver_at` is set if the end plans a delivery that Tandem
 * makes by itself.
 */
export function recordAttempt(db: Db, attempt: Attempt) {
  const { outcome } = attempt;
  const isPending = outcome.status === 'pending';
  return db.execute<{ redeliver_at: string | null }>(sql`
    with mine as (
      update ${deliveries} set status = ${outcome.status}, attempts = ${attempt.number}::int,
        response_code = ${attempt.code}::int, duration_ms = ${attempt.durationMs}::int, error = ${attempt.error}::text,
        next_attempt_at = ${isPending ? at(outcome.nextAttemptAt) : null},
        finished_at = ${isPending ? null : at(outcome.finishedAt)}, asked_at = null, owner = null, lease_until = null
      where id = ${attempt.id} and owner = ${attempt.owner}
      returning id, platform_id, event_id, url, redeliveries),
    ${isPending ? sql`` : sql`counted as (${tally({ ...attempt, ...outcome })}), noted as (${noteEnd(outcome)}),`}
    made as (
      insert into ${deliveryAttempts} (delivery_id, number, started_at, sent_at, response_code, duration_ms, error, answer)
      select id, ${attempt.number}::int, ${at(attempt.startedAt)}, ${attempt.sentAt === null ? sql`null::timestamptz` : at(attempt.sentAt)},
        ${attempt.code}::int, ${attempt.durationMs}::int, ${attempt.error}::text, ${attempt.answer}::text
      from mine)
    select ${isPending ? sql`null` : sql`(select redeliver_at from noted)`} as redeliver_at from mine`);
}

/** Makes no attempt, and does nothing if another worker has taken over the delivery. */
export const postponeDelivery = (db: Db, of: { id: string; owner: string; error: string; nextAttemptAt: number }) =>
  db
    .update(deliveries)
    .set({ error: of.error, nextAttemptAt: of.nextAttemptAt, askedAt: null, owner: null, leaseUntil: null })
    .where(and(eq(deliveries.id, of.id), eq(deliveries.owner, of.owner)));

interface Closing {
  id: string;
  owner: string;
  error: string;
  finishedAt: number;
  /** True if the platform has disabled its endpoint, which then has not failed. */
  isDisabled: boolean;
}

/** Makes no attempt, and does nothing if another worker has taken over the delivery. */
export const closeDelivery = (db: Db, { id, owner, error, finishedAt, isDisabled }: Closing) =>
  db.execute<{ redeliver_at: string | null }>(sql`
    with mine as (
      update ${deliveries} set status = 'failed', error = ${error}::text, finished_at = ${at(finishedAt)},
        next_attempt_at = null, asked_at = null, owner = null, lease_until = null
      where id = ${id} and owner = ${owner}
      returning id, platform_id, event_id, url, redeliveries),
    counted as (${tally({ status: 'failed', code: 0, durationMs: 0, finishedAt })}),
    noted as (${isDisabled ? resumed(finishedAt) : noteEnd({ status: 'failed', finishedAt })})
    select null as redeliver_at from mine`);

/** Lets a delivery that Tandem makes by itself follow as soon as the endpoint is enabled again. */
const resumed = (finishedAt: number) => sql`
  update ${webhookEndpoints} e set redeliver_at = ${at(finishedAt)} from mine
  where e.platform_id = mine.platform_id and mine.redeliveries > 0`;

/** Adds to the counts of the UTC day. Tests do not count. The surrounding statement must name the delivery `mine`. */
function tally(end: { status: 'success' | 'failed'; code: number; durationMs: number; finishedAt: number }): SQL {
  const [success, failed] = end.status === 'success' ? [1, 0] : [0, 1];
  const [answered, answeredMs] = end.code > 0 ? [1, end.durationMs] : [0, 0];
  return sql`
    insert into ${deliveryDays} (platform_id, day, success, failed, answered, answered_ms)
    select platform_id, ${new Date(end.finishedAt).toISOString().slice(0, 10)}::date,
      ${success}::int, ${failed}::int, ${answered}::int, ${answeredMs}::bigint
    from mine where not starts_with(event_id, ${TEST_EVENT_ID})
    on conflict (platform_id, day) do update set
      success = ${deliveryDays.success} + excluded.success,
      failed = ${deliveryDays.failed} + excluded.failed,
      answered = ${deliveryDays.answered} + excluded.answered,
      answered_ms = ${deliveryDays.answeredMs} + excluded.answered_ms
    returning 1`;
}

type Due = { now: number; askedBefore: number; limit: number; each: number };

/** No worker is attempting them. Records `asked_at`, because the caller puts them on the queue next. */
export async function takeDue(db: Db, { now, ...asking }: Due): Promise<string[]> {
  const due = await takeInTurn(db, {
    table: deliveries,
    indexed: sql`w.status = 'pending'`,
    isDue: sql`w.next_attempt_at <= ${at(now)} and (w.lease_until is null or w.lease_until < ${at(now)}) and ${isActive(sql`w.platform_id`)}`,
    since: sql`w.next_attempt_at`,
    now,
    ...asking,
  });
  return due.map(({ id }) => id);
}
