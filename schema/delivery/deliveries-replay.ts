import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, deliveryDays } from '../tables/deliveries.ts';
import { webhookEndpoints } from '../tables/webhook-endpoints.ts';
import { type DeliveryFilter, isUndelivered, matches } from './deliveries-filter.ts';

const COPIED = sql`d.id, d.event_id, d.event_type, d.meeting_id, d.body, d.created_at, 0 as redeliveries, 0 as refusals`;

export interface Replay {
  platformId: string;
  idPrefix: string;
  now: number;
}

/** Sends the same bytes, and is the event's newest one then. Undefined if pending, or for a disabled endpoint. */
export async function replayDelivery(db: Db, { id, ...replay }: Replay & { id: string }) {
  const chosen = sql`
    select ${COPIED}, newest.id as newest, newest.event_at
    from ${deliveries} d left join lateral (
      select n.id, n.event_at from ${deliveries} n
      where n.platform_id = d.platform_id and n.event_id = d.event_id and n.event_at is not null
        and (n.id = d.id or n.replay_of is not null)
      limit 1) newest on true
    where d.platform_id = ${replay.platformId} and d.id = ${id} and d.status <> 'pending'`;
  const [made] = await insertReplays(db, replay, { chosen });
  return made && { id: made.id };
}

/**
 * Takes events first delivered since `since`, oldest first. `status` is that of the newest delivery, and pending ones
 * are skipped. `eventAt` is the time of the event's first delivery, in epoch ms.
 */
export async function replayDeliveries(
  db: Db,
  {
    since,
    status,
    limit,
    ...replay
  }: Replay & { since: number; status: 'success' | 'failed' | undefined; limit: number },
): Promise<{ id: string; eventAt: number }[]> {
  const chosen = sql`
    select d.*, d.id as newest
    from (values ('success'), ('failed')) ended (status) cross join lateral (
      select ${COPIED}, d.event_at from ${deliveries} d
      where d.platform_id = ${replay.platformId} and d.status = ended.status and d.status <> 'pending'
        and d.event_at >= ${at(since)}
      order by d.event_at, d.id limit ${limit}::int
    ) d
    where ended.status = coalesce(${status ?? null}::text, ended.status)
    order by d.event_at, d.id limit ${limit}::int`;
  const made = await insertReplays(db, replay, { chosen });
  return made.map(({ id, event_at }) => ({ id, eventAt: new Date(event_at).getTime() }));
}

/** Takes those that have ended and are their event's newest. Returns the new ids, and those that they repeat. */
export async function replaySelected(db: Db, { ids, ...replay }: Replay & { ids: readonly string[] }) {
  const chosen = sql`
    select ${COPIED}, d.id as newest, d.event_at from ${deliveries} d
    where d.platform_id = ${replay.platformId} and d.id in ${ids} and d.status <> 'pending' and d.event_at is not null`;
  const made = await insertReplays(db, replay, { chosen });
  return made.map(({ id, replay_of: replayOf }) => ({ id, replayOf }));
}

/** Takes the oldest first. Returns the new ids. */
export async function replayUndelivered(
  db: Db,
  { filter, limit, ...replay }: Replay & { filter: DeliveryFilter; limit: number },
): Promise<string[]> {
  const chosen = sql`
    select ${COPIED}, d.id as newest, d.event_at from ${deliveries} d
    where d.id in (
      select ${deliveries.id} from ${deliveries}
      where ${matches({ ...filter, status: 'failed' })} and ${isUndelivered}
      order by ${deliveries.eventAt}, ${deliveries.id} limit ${limit}::int)`;
  const made = await insertReplays(db, replay, { chosen });
  return made.map(({ id }) => id);
}

export const listReplayStates = (db: Db, { platformId, ids }: { platformId: string; ids: readonly string[] }) =>
  db
    .select({ id: deliveries.id, eventId: deliveries.eventId, status: deliveries.status, eventAt: deliveries.eventAt })
    .from(deliveries)
    .where(and(eq(deliveries.platformId, platformId), inArray(deliveries.id, [...ids])));

/**
 * Needs an enabled endpoint. An event's `event_at`, the time of its first delivery, moves to the new delivery, because
 * only the newest has it. A platform's calls run one after another, so the second finds the deliveries of the first. A
 * new delivery always counts as newer, even if the clocks of two machines differ. A failed one whose event is sent again leaves
 * the day's count. `with` has statements for `chosen` to read, and `after` one that runs after all.
 */
export async function insertReplays(
  db: Db,
  { platformId, idPrefix, now }: Replay,
  { chosen, with: before, after }: { chosen: SQL; with?: SQL; after?: SQL },
) {
  const [, { rows }] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`replay:${platformId}`}, 0))`),
    db.execute<{ id: string; replay_of: string; event_at: string }>(sql`
      with ${before === undefined ? sql`` : sql`${before},`} chosen as (${chosen}), made as (
        insert into ${deliveries}
          (id, event_id, platform_id, event_type, meeting_id, body, url, status, max_attempts, next_attempt_at, replay_of,
            redeliveries, refusals, created_at, event_at)
        select ${idPrefix}::text || replace(gen_random_uuid()::text, '-', ''), c.event_id, e.platform_id, c.event_type, c.meeting_id,
          c.body, e.url, 'pending', e.max_retries, ${at(now)}, c.id, c.redeliveries, c.refusals,
          greatest(${at(now)}, c.created_at + interval '1 ms'), c.event_at
        from chosen c cross join ${webhookEndpoints} e
        where e.enabled and e.platform_id = ${platformId}
        returning id, replay_of, event_at),
      former as (
        update ${deliveries} d set event_at = null
        where d.platform_id = ${platformId}
          and d.id = any(array(select newest from chosen where exists (select from made)))
        returning d.status, d.finished_at),
      uncounted as (
        update ${deliveryDays} n set failed = n.failed - gone.count
        from (select (finished_at at time zone 'UTC')::date as day, count(*)::int as count from former
          where status = 'failed' group by 1) gone
        where n.platform_id = ${platformId} and n.day = gone.day
        returning 1)
      ${after === undefined ? sql`` : sql`, ${after}`}
      select id, replay_of, event_at from made order by event_at, replay_of`),
  ]);
  return rows;
}
