import { and, eq, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { deliveries, deliveryAttempts, deliveryDays, TEST_EVENT_ID } from './table.ts';

/** What an attempt may take beside an answer in time under each secret: claiming, looking up the address and writing it down. */
const LEASE_SLACK_SECONDS = 30;

/** In nobody's hands. */
export const unleased = (now: number) => or(isNull(deliveries.leaseUntil), lt(deliveries.leaseUntil, now));

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDelivery>>[number];

/** Takes a due delivery for one attempt, to where the endpoint is now; empty when it is not to be had. */
export const claimDelivery = (db: Db, { id, owner, now }: { id: string; owner: string; now: number }) =>
  db
    .update(deliveries)
    .set({
      owner,
      leaseUntil: sql`${at(now)}
        + make_interval(secs => greatest(2, 1 + jsonb_array_length(${webhookEndpoints.previousSecrets}))
          * ${webhookEndpoints.timeoutSeconds} + ${LEASE_SLACK_SECONDS}::int)`,
      url: sql`${webhookEndpoints.url}`,
    })
    .from(webhookEndpoints)
    .where(
      and(
        eq(deliveries.id, id),
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
      url: webhookEndpoints.url,
      enabled: webhookEndpoints.enabled,
      timeoutSeconds: webhookEndpoints.timeoutSeconds,
      secret: webhookEndpoints.secret,
      previousSecrets: webhookEndpoints.previousSecrets,
    });

/** When a waiting delivery's next attempt is, in epoch ms, if that is still to come. */
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
  /** The next attempt's time while pending, the end otherwise. */
  outcome: { status: 'pending'; nextAttemptAt: number } | { status: 'success' | 'failed'; finishedAt: number };
}

/**
 * Writes down an attempt and gives the delivery back; nothing if another has taken it over. One statement: whatever else
 * is written follows from the delivery's own row, which is taken first.
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

/** Gives a delivery back for later, without an attempt; nothing if another has taken it over. */
export const postponeDelivery = (
  db: Db,
  { id, owner, error, nextAttemptAt }: { id: string; owner: string; error: string; nextAttemptAt: number },
) =>
  db
    .update(deliveries)
    .set({ error, nextAttemptAt, askedAt: null, owner: null, leaseUntil: null })
    .where(and(eq(deliveries.id, id), eq(deliveries.owner, owner)));

/** Ends a delivery as failed without an attempt; nothing if another has taken it over. */
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

/** Counts the ended delivery of `mine` on its day, unless it is a test's. */
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
