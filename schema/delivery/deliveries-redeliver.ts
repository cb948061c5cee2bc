import { type SQL, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, TEST_EVENT_ID, webhookEndpoints } from '../tables/deliveries.ts';
import { insertReplays, type Replay } from './deliveries-replay.ts';

/** Minutes after an endpoint began to fail at which the oldest failed event is tried again. */
const TRIED_AFTER_MINUTES = [5, 30, 120, 360, 720, 1_440, 2_880, 4_320] as const;
/** Minutes that an event waits which failed although the endpoint took others, by the number of times so far. */
const RESTS_MINUTES = [20, 70, 190, 290, 580, 1_150, 1_150] as const;
/** Days before an endpoint began to fail in which an event may have happened whose delivery failed only then. */
const LONGEST_ATTEMPTS_DAYS = 1;

const minutes = (list: readonly number[]) => sql.raw(`(array[${list.join(',')}])`);

/** End of a delivery, for the state of the endpoint that received it. */
interface End {
  status: 'success' | 'failed';
  finishedAt: number;
}

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

/** Lists platforms whose endpoints have an event due that Tandem sends again by itself, the longest due first. */
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
