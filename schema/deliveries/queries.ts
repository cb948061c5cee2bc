import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { deliveries } from './table.ts';

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
export function insertDelivery(db: Db, delivery: NewDelivery) {
  const { eventType, onlyIf } = delivery;
  return insertWhere(db, delivery, {
    maxAttempts: sql`max_retries`,
    replayable: true,
    wanted: sql`enabled and (cardinality(events) = 0 or ${eventType}::text = any(events)) and ${onlyIf ?? sql`true`}`,
  });
}

/** Writes the row for one attempt, whatever the endpoint is subscribed to; none without an endpoint. */
export const insertTestDelivery = (db: Db, delivery: NewDelivery) =>
  insertWhere(db, delivery, { maxAttempts: sql`1`, replayable: false, wanted: sql`true` });

function insertWhere(
  db: Db,
  { id, eventId, platformId, eventType, body, now }: NewDelivery,
  { maxAttempts, replayable, wanted }: { maxAttempts: SQL; replayable: boolean; wanted: SQL },
) {
  const at = sql`${sql.param(now, deliveries.createdAt)}::timestamptz`;
  return db.execute<Record<string, never>>(sql`
    insert into deliveries
      (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at, event_at)
    select ${id}::text, ${eventId}::text, platform_id, ${eventType}::text, ${body}::text, url, 'pending',
      ${maxAttempts}, ${at}, ${at}, ${replayable ? at : sql`null`}
    from webhook_endpoints
    where platform_id = ${platformId} and ${wanted}`);
}
