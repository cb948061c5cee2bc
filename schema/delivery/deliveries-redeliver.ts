import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, deliveryDays, TEST_EVENT_ID, webhookEndpoints } from '../tables/deliveries.ts';
import { type DeliveryFilter, isUndelivered, matches } from './deliveries-log.ts';

/** Minutes after an endpoint began to fail at which the oldest failed event is tried again. */
const TRIED_AFTER_MINUTES = [5, 30, 120, 360, 720, 1_440, 2_880, 4_320] as const;
/** Minutes that an event waits which failed although the endpoint took others, by the number of times so far. */
const RESTS_MINUTES = [20, 70, 190, 290, 580, 1_150, 1_150] as const;
/** Days before an endpoint began to fail in which an event may have happened whose delivery failed only then. */
const LONGEST_ATTEMPTS_DAYS = 1;

const minutes = (list: readonly number[]) => sql.raw(`(array[${list.join(',')}])`);

type End = { status: 'success' | 'failed'; finishedAt: number };

/**
 * Returns SQL that notes on the endpoint how a delivery to it ended, and plans what Tandem sends by itself next.
 * - The first failure begins an outage, and each failed try of Tandem's own plans the next one.
 * - A success ends the outage. The events that failed meanwhile are then due, one after another.
 * It changes nothing after a test, after an attempt at a former URL, and after an end that says nothing new. The
 * surrounding statement must name the delivery `mine`, and its day's count `counted`. Who locks both rows locks the count
 * first, so that no two statements wait for each other.
 */
export const noteEnd = ({ status, finishedAt }: End): SQL => {
  const ended = at(finishedAt);
  const isFirst = sql`(e.failing_since is null or e.redeliver_from is null)`;
  const next = sql`(e.redeliver_step + 2)`;
  const planned = sql`case when ${minutes(TRIED_AFTER_MINUTES)}[${next}] <= e.redeliver_hours * 60
    then greatest(${ended} + interval '5 minutes', e.failing_since + make_interval(mins => ${minutes(TRIED_AFTER_MINUTES)}[${next}])) end`;
  const change =
    status === 'success'
      ? sql`failing_since = null, redeliver_step = 0,
        redeliver_from = greatest(e.redeliver_from, case when e.redeliver_from is not null then ${ended} - make_interval(hours => e.redeliver_hours + 1) end),
        redeliver_at = case when e.redeliver_from is not null then ${ended} end`
      : sql`failing_since = coalesce(e.failing_since, ${ended}), redeliver_from = coalesce(e.redeliver_from, ${ended}),
        redeliver_step = case when ${isFirst} then 0 else e.redeliver_step + 1 end,
        redeliver_at = case when ${isFirst} then ${ended} + make_interval(mins => ${minutes(TRIED_AFTER_MINUTES)}[1]) else ${planned} end`;
  const isNews =
    status === 'success'
      ? sql`(e.failing_since is not null or e.redeliver_from is not null)`
      : sql`(${isFirst} or mine.redeliveries > 0)`;
  return sql`
    update ${webhookEndpoints} e set ${change} from mine
    where e.platform_id = mine.platform_id and e.url = mine.url and not starts_with(mine.event_id, ${TEST_EVENT_ID})
      and ${isNews} and (select count(*) from counted) >= 0
    returning e.redeliver_at`;
};

export async function listRedeliveriesDue(db: Db, { now, limit }: { now: number; limit: number }): Promise<string[]> {
  const { rows } = await db.execute<{ platform_id: string }>(sql`
    select w.platform_id from ${webhookEndpoints} w
    where w.redeliver_at <= ${at(now)} and w.enabled and w.redeliver_hours > 0 and ${isActive(sql`w.platform_id`)}
      and not exists (select 1 from ${deliveries} d where d.platform_id = w.platform_id and d.redeliveries > 0 and d.status = 'pending')
    order by w.redeliver_at limit ${limit}::int`);
  return rows.map(({ platform_id: platformId }) => platformId);
}

/**
 * Inserts the delivery that a platform's endpoint is due for: of the events that failed since its outage began, the
 * oldest. While the endpoint takes other events, one that failed again rests. Returns the id of the new delivery, or
 * undefined if none is due, if one is under way, or if no event waits, which ends the platform's waiting.
 */
export async function redeliverNext(db: Db, replay: Replay): Promise<string | undefined> {
  const { platformId, now } = replay;
  // Two deliveries may fail at the same time, and the one that ended first may be recorded last.
  const waits = sql`
    d.platform_id = due.platform_id and d.status = 'failed' and d.event_at is not null
    and d.event_at >= due.redeliver_from - interval '${sql.raw(String(LONGEST_ATTEMPTS_DAYS))} days'
    and d.finished_at >= due.redeliver_from - interval '5 minutes' and d.refusals <= ${RESTS_MINUTES.length}::int
    and (d.event_type <> 'platform.security_changed' or d.url = due.url)`;
  const [made] = await insertReplays(db, replay, {
    with: sql`due as (
      select e.* from ${webhookEndpoints} e
      where e.platform_id = ${platformId} and e.redeliver_at <= ${at(now)} and e.enabled and e.redeliver_hours > 0
        and ${isActive(sql`e.platform_id`)}
        and not exists (select 1 from ${deliveries} d where d.platform_id = e.platform_id and d.redeliveries > 0 and d.status = 'pending'))`,
    chosen: sql`
      select d.id, d.event_id, d.event_type, d.meeting_id, d.body, d.created_at, d.id as newest, d.event_at,
        d.redeliveries + 1 as redeliveries, d.refusals + (due.failing_since is null)::int as refusals
      from due cross join lateral (
        select d.* from ${deliveries} d
        where ${waits} and (due.failing_since is not null or d.refusals = 0
          or d.finished_at <= ${at(now)} - make_interval(mins => ${minutes(RESTS_MINUTES)}[d.refusals]))
        order by d.event_at, d.id limit 1) d`,
    after: sql`moved as (
      update ${webhookEndpoints} e set
        redeliver_at = case when exists (select from made) then null
          when exists (select 1 from ${deliveries} d where ${waits}) then ${at(now)} + interval '30 minutes' end,
        redeliver_from = case when exists (select from made) or exists (select 1 from ${deliveries} d where ${waits})
          then due.redeliver_from end
      from due
      where e.platform_id = due.platform_id and e.redeliver_from is not distinct from due.redeliver_from
        and e.redeliver_at = due.redeliver_at and (select count(*) from uncounted) >= 0)`,
  });
  return made?.id;
}

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
