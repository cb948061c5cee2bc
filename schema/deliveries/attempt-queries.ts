import { and, eq, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { isActive } from '../platforms/queries.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { deliveries, deliveryAttempts, deliveryDays, TEST_EVENT_ID } from './table.ts';

/**
 * Seconds by which the lease of a delivery is longer than the timeouts of its requests. They cover leasing, the DNS
 * lookup and recording the attempt.
 */
const LEASE_SLACK_SECONDS = 30;

/** Returns an SQL condition for webhook deliveries without a current lease. */
export const unleased = (now: number) => or(isNull(deliveries.leaseUntil), lt(deliveries.leaseUntil, now));

export type LeasedDelivery = Awaited<ReturnType<typeof leaseDelivery>>[number];

/**
 * Leases a due webhook delivery for one attempt and sets its URL to the endpoint's current URL. Returns no row if the
 * delivery is not due or is already leased, or if its platform is suspended.
 */
export const leaseDelivery = (db: Db, { id, owner, now }: { id: string; owner: string; now: number }) =>
  db
    .update(deliveries)
    .set({
      owner,
      leaseUntil: sql`${at(now)}
        + make_interval(secs => greatest(2, 1 + jsonb_array_length(${webhookEndpoints.previousSecrets}))
          * ${webhookEndpoints.timeoutSeconds} + ${LEASE_SLACK_SECONDS}::int)`,
      // A notice of a security change goes to the URL that it was written for. The owner of a former URL must hear that
      // a key, a secret or the URL itself was changed.
      url: sql`case when ${deliveries.eventType} = 'platform.security_changed' then ${deliveries.url} else ${webhookEndpoints.url} end`,
    })
    .from(webhookEndpoints)
    .where(
      and(
        eq(deliveries.id, id),
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
      eventId: deliveries.eventId,
      eventType: deliveries.eventType,
      platformId: deliveries.platformId,
      body: deliveries.body,
      attempts: deliveries.attempts,
      maxAttempts: deliveries.maxAttempts,
      createdAt: deliveries.createdAt,
      url: deliveries.url,
      enabled: webhookEndpoints.enabled,
      timeoutSeconds: webhookEndpoints.timeoutSeconds,
      secret: webhookEndpoints.secret,
      previousSecrets: webhookEndpoints.previousSecrets,
    });

/** Finds the time of a pending delivery's next attempt, in epoch ms, if that time is still in the future. */
export async function findNextAttempt(db: Db, { id, now }: { id: string; now: number }): Promise<number | undefined> {
  const [waiting] = await db
    .select({ at: deliveries.nextAttemptAt })
    .from(deliveries)
    .where(and(eq(deliveries.id, id), eq(deliveries.status, 'pending'), gt(deliveries.nextAttemptAt, now)));
  return waiting?.at ?? undefined;
}

export interface Attempt {
  id: string;
  owner: string;
  number: number;
  startedAt: number;
  code: number;
  durationMs: number;
  error: string | null;
  /**
   * Result of an attempt: the time of the next attempt while the delivery is pending, and otherwise the time the
   * delivery ended.
   */
  outcome: { status: 'pending'; nextAttemptAt: number } | { status: 'success' | 'failed'; finishedAt: number };
}

/**
 * Records an attempt at a webhook delivery and releases its lease. Does nothing if another worker has taken over the
 * lease. One statement does all of this: it locks the delivery's row first, and the other writes depend on that row.
 */
export async function recordAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { outcome } = attempt;
  const isPending = outcome.status === 'pending';
  await db.execute(sql`
    with mine as (
      update ${deliveries} set status = ${outcome.status}, attempts = ${attempt.number}::int,
        response_code = ${attempt.code}::int, duration_ms = ${attempt.durationMs}::int, error = ${attempt.error}::text,
        next_attempt_at = ${isPending ? at(outcome.nextAttemptAt) : null},
        finished_at = ${isPending ? null : at(outcome.finishedAt)}, asked_at = null, owner = null, lease_until = null
      where id = ${attempt.id} and owner = ${attempt.owner}
      returning id, platform_id, event_id),
    ${isPending ? sql`` : sql`counted as (${tally({ ...attempt, ...outcome })}),`}
    made as (
      insert into ${deliveryAttempts} (delivery_id, number, started_at, response_code, duration_ms, error)
      select id, ${attempt.number}::int, ${at(attempt.startedAt)}, ${attempt.code}::int, ${attempt.durationMs}::int,
        ${attempt.error}::text
      from mine)
    select from mine`);
}

/**
 * Postpones a webhook delivery without an attempt and releases its lease. Does nothing if another worker has taken over
 * the lease.
 */
export const postponeDelivery = (
  db: Db,
  { id, owner, error, nextAttemptAt }: { id: string; owner: string; error: string; nextAttemptAt: number },
) =>
  db
    .update(deliveries)
    .set({ error, nextAttemptAt, askedAt: null, owner: null, leaseUntil: null })
    .where(and(eq(deliveries.id, id), eq(deliveries.owner, owner)));

/** Ends a webhook delivery as failed without an attempt. Does nothing if another worker has taken over the lease. */
export async function closeDelivery(
  db: Db,
  { id, owner, error, finishedAt }: { id: string; owner: string; error: string; finishedAt: number },
): Promise<void> {
  await db.execute(sql`
    with mine as (
      update ${deliveries} set status = 'failed', error = ${error}::text, finished_at = ${at(finishedAt)},
        next_attempt_at = null, asked_at = null, owner = null, lease_until = null
      where id = ${id} and owner = ${owner}
      returning id, platform_id, event_id),
    counted as (${tally({ status: 'failed', code: 0, durationMs: 0, finishedAt })})
    select from mine`);
}

/**
 * Returns SQL that adds a finished delivery to the counts of its UTC day, unless it is a test. The delivery is the row
 * of the query named `mine`.
 */
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
      answered_ms = ${deliveryDays.answeredMs} + excluded.answered_ms`;
}
