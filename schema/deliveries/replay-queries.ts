import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { deliveries } from './table.ts';

const instant = (ms: number) => sql`${sql.param(ms, deliveries.createdAt)}::timestamptz`;

interface Replay {
  platformId: string;
  /** What the new deliveries' ids begin with. */
  idPrefix: string;
  now: number;
}

/** A new delivery of the same event and bytes; undefined when the old one is pending or the endpoint takes nothing. */
export async function replayDelivery(db: Db, { id, ...replay }: Replay & { id: string }) {
  const { rows } = await db.execute<Replayed>(
    insertReplays(
      replay,
      sql`
      select id, created_at as event_at from ${deliveries}
      where platform_id = ${replay.platformId} and id = ${id} and status <> 'pending'`,
    ),
  );
  return rows[0];
}

/**
 * New deliveries of the events first delivered since an instant, oldest first, one per event: its newest delivery
 * counts, and is left alone while pending. Two calls at once take turns, so that the second finds the first one's
 * pending. `eventAt` is when an event was first delivered, in epoch ms.
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
    select id, event_at from (
      select id, status, row_number() over (partition by event_id order by created_at desc, id desc) as place,
        min(created_at) filter (where replay_of is null) over (partition by event_id) as event_at
      from ${deliveries}
      where platform_id = ${replay.platformId} and created_at >= ${instant(since)} and not starts_with(event_id, 'wh_test_')) d
    where place = 1 and event_at is not null and ${status === undefined ? sql`status <> 'pending'` : sql`status = ${status}`}
    order by event_at, id limit ${limit}::int`;
  const [, { rows }] = await db.batch([
    db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`replay:${replay.platformId}`}, 0))`),
    db.execute<Replayed>(insertReplays(replay, chosen)),
  ]);
  return rows.map(({ id, event_at }) => ({ id, eventAt: new Date(event_at).getTime() }));
}

type Replayed = { id: string; event_at: string };

/** A replay is newer than what it replays, whichever machine's clock wrote that. */
const insertReplays = ({ platformId, idPrefix, now }: Replay, chosen: SQL) => sql`
  with chosen as (${chosen}), made as (
    insert into ${deliveries}
      (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, replay_of, created_at)
    select ${idPrefix}::text || replace(gen_random_uuid()::text, '-', ''), d.event_id, d.platform_id, d.event_type,
      d.body, e.url, 'pending', e.max_retries, ${instant(now)}, d.id,
      greatest(${instant(now)}, d.created_at + interval '1 ms')
    from chosen join ${deliveries} d on d.id = chosen.id join ${webhookEndpoints} e on e.platform_id = d.platform_id
    where e.enabled and e.platform_id = ${platformId}
    returning id, replay_of)
  select made.id, chosen.event_at from made join chosen on chosen.id = made.replay_of
  order by chosen.event_at, chosen.id`;
