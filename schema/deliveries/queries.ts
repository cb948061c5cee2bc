import { and, asc, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { deliveries, deliveryAttempts } from './table.ts';

/** A condition on what an earlier statement of the same batch left behind, such as `exists (select …)`. */
export type OnlyIf = SQL;

export interface NewDelivery {
  id: string;
  eventId: string;
  platformId: string;
  eventType: string;
  body: string;
  now: number;
  onlyIf?: OnlyIf | undefined;
}

/** Writes the row only if the platform has an endpoint that wants this event. */
export function insertDelivery(db: Db, { id, eventId, platformId, eventType, body, now, onlyIf }: NewDelivery) {
  const at = sql`${sql.param(now, deliveries.createdAt)}::timestamptz`;
  return db.execute<Record<string, never>>(sql`
    insert into deliveries
      (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at)
    select ${id}::text, ${eventId}::text, platform_id, ${eventType}::text, ${body}::text, url, 'pending',
      max_retries, ${at}, ${at}
    from webhook_endpoints
    where platform_id = ${platformId} and enabled
      and (cardinality(events) = 0 or ${eventType}::text = any(events))
      and ${onlyIf ?? sql`true`}`);
}

const unleased = (now: number) => or(isNull(deliveries.leaseUntil), lt(deliveries.leaseUntil, now));
const due = (now: number) => and(eq(deliveries.status, 'pending'), lte(deliveries.nextAttemptAt, now), unleased(now));

export type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimDelivery>>>;

/** Takes a due delivery for one attempt, to where the endpoint is now; undefined when it is not to be had. */
export async function claimDelivery(
  db: Db,
  { id, owner, now, leaseUntil }: { id: string; owner: string; now: number; leaseUntil: number },
) {
  const [claimed] = await db
    .update(deliveries)
    .set({ owner, leaseUntil, url: sql`${webhookEndpoints.url}` })
    .from(webhookEndpoints)
    .where(and(eq(deliveries.id, id), eq(webhookEndpoints.platformId, deliveries.platformId), due(now)))
    .returning({
      id: deliveries.id,
      eventType: deliveries.eventType,
      eventId: deliveries.eventId,
      platformId: deliveries.platformId,
      body: deliveries.body,
      attempts: deliveries.attempts,
      maxAttempts: deliveries.maxAttempts,
      lastCode: deliveries.responseCode,
      url: webhookEndpoints.url,
      timeoutSeconds: webhookEndpoints.timeoutSeconds,
      secret: webhookEndpoints.secret,
      previousSecret: webhookEndpoints.previousSecret,
      previousValidUntil: webhookEndpoints.previousValidUntil,
    });
  return claimed;
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

/** Writes down an attempt and gives the delivery back; nothing if another has taken it over. */
export async function recordAttempt(db: Db, attempt: Attempt): Promise<void> {
  const mine = and(eq(deliveries.id, attempt.id), eq(deliveries.owner, attempt.owner));
  const { outcome } = attempt;
  await db.batch([
    db.execute(sql`
      insert into ${deliveryAttempts} (delivery_id, number, started_at, response_code, duration_ms, error)
      select ${deliveries.id}, ${attempt.number}::int,
        ${sql.param(attempt.startedAt, deliveryAttempts.startedAt)}::timestamptz,
        ${attempt.code}::int, ${attempt.durationMs}::int, ${attempt.error}::text
      from ${deliveries} where ${mine}`),
    db
      .update(deliveries)
      .set({
        status: outcome.status,
        attempts: attempt.number,
        responseCode: attempt.code,
        durationMs: attempt.durationMs,
        error: attempt.error,
        nextAttemptAt: outcome.status === 'pending' ? outcome.nextAttemptAt : null,
        finishedAt: outcome.status === 'pending' ? null : outcome.finishedAt,
        owner: null,
        leaseUntil: null,
      })
      .where(mine),
  ]);
}

/** Ids of deliveries whose time has come and that nobody holds, longest waiting first. */
export async function listDueDeliveries(db: Db, { now, limit }: { now: number; limit: number }): Promise<string[]> {
  const rows = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(due(now))
    .orderBy(asc(deliveries.nextAttemptAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}
