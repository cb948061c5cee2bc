import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, deliveryDays, webhookEndpoints } from '../tables/deliveries.ts';
import { type DeliveryFilter, isUndelivered, matches } from './deliveries-page.ts';

const COPIED = sql`d.id, d.event_id, d.event_type, d.meeting_id, d.body, d.created_at, 0 as redeliveries, 0 as refusals`;

export interface Replay {
  platformId: string;
  idPrefix: string;
  now: number;
  /** The most events that a platform may have sent again within an hour. Undefined if Tandem sends by itself. */
  perHour?: number | undefined;
}

/** Queries call the delivery `d`. It sends an event again because the platform asked for it, and still counts. */
const isCounted = ({ platformId, now }: Pick<Replay, 'platformId' | 'now'>) => sql`
  d.platform_id = ${platformId} and d.created_at > ${at(now)} - interval '1 hour' and d.replay_of is not null
  and d.redeliveries = 0`;

/** `oldest` is the time of the first of them in epoch ms, 0 if there is none. */
export async function countReplays(db: Db, of: Pick<Replay, 'platformId' | 'now'>) {
  const { rows } = await db.execute<{ used: number; oldest: string }>(sql`
    select count(*)::int as used, coalesce(extract(epoch from min(d.created_at)) * 1000, 0) as oldest
    from ${deliveries} d where ${isCounted(of)}`);
  return { used: rows[0]?.used ?? 0, oldest: Number(rows[0]?.oldest) };
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
 * are skipped. `eventAt` is the time of the event's first delivery, in epoch ms. `left` is how many events the platform
 * could have sent again before.
 */
export async function replayDeliveries(
  db: Db,
  {
    since,
    status,
    limit,
    ...replay
  }: Replay & { since: number; status: 'success' | 'failed' | undefined; limit: number },
): Promise<{ made: { id: string; eventAt: number }[]; left: number }> {
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
  return {
    made: made.map(({ id, event_at }) => ({ id, eventAt: new Date(event_at).getTime() })),
    left: made[0]?.left ?? 0,
  };
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
 * the day's count. Takes no more of `chosen` than `perHour` leaves. `with` has statements for `chosen` to read, and `after`
 * one that runs after all.
 */
export async function insertReplays(
  db: Db,
  { platformId, idPrefix, now, perHour }: Replay,
  { chosen, with: before, after }: { chosen: SQL; with?: SQL; after?: SQL },
) {
  const budget =
    perHour === undefined
      ? sql`select null::int as rest`
      : sql`select greatest(0, ${perHour}::int - count(*)::int) as rest from ${deliveries} d where ${isCounted({ platformId, now })}`;
  const [, { rows }] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`replay:${platformId}`}, 0))`),
    db.execute<{ id: string; replay_of: string; event_at: string; left: number | null }>(sql`
      with ${before === undefined ? sql`` : sql`${before},`} budget as (${budget}), chosen as (
        select c.* from (${chosen}) c order by c.event_at, c.id limit (select rest from budget)
      ), made as (
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
      select id, replay_of, event_at, (select rest from budget) as left from made order by event_at, replay_of`),
  ]);
  return rows;
}
