import { EVENT_TYPES } from '../../schema/api/webhook-events/schemas.ts';
import type { World } from '../local/world.ts';

const DAYS = 31;
const PENDING = 1_000;

/**
 * Replaces all deliveries by `count` new ones, spread over 31 days in order of time.
 * - The first platform gets a fifth of today's deliveries. The others share the rest evenly.
 * - The last platform has had no delivery for 20 days, and had most of the deliveries before that.
 * - There are common and rare event types, 3 % of the deliveries failed, and the newest 1,000 are due.
 */
export async function fillDeliveries(world: World, platformIds: string[], count: number): Promise<void> {
  const now = new Date(world.clock.now()).toISOString();
  await world.neon.query('truncate deliveries, delivery_attempts, delivery_days');
  await world.neon.query(
    `insert into deliveries (id, event_id, platform_id, event_type, body, url, status, attempts, max_attempts,
       next_attempt_at, response_code, duration_ms, error, created_at, event_at, finished_at)
     select 'wh_del_' || substr(platform, 6, 8) || left(md5(i::text), 20), 'wh_' || left(md5('e' || i), 20), platform, type,
       repeat('x', 400), 'https://hooks.platform.test/tandem', status, attempts, 3,
       case when status = 'pending' then at end,
       case status when 'success' then 200 when 'failed' then 503 else 0 end, duration,
       case status when 'failed' then 'answered 503' end, at, at, case when status <> 'pending' then at + interval '100 ms' end
     from (select *, case status when 'pending' then 0 when 'failed' then 3 when 'success' then 1 + (i % 20 = 0)::int end
         as attempts, case status when 'pending' then 0 else 20 + i * 7919 % 480 end as duration
       from (select i, ($1::text[])[case
           when i > $3::int / 3 then case when i % 5 = 0 then 1 else 2 + (i * 7919 / 5) % (cardinality($1::text[]) - 2) end
           when i % 5 < 3 then cardinality($1::text[]) else 1 + (i * 7919 / 5) % (cardinality($1::text[]) - 1) end]
           as platform,
         ($2::text[])[1 + floor(power(i * 104729 % 1000003 / 1000003.0, 3) * cardinality($2::text[]))] as type,
         case when i > $3::int - $4::int then 'pending' when i * 15485863 % 100 < 3 then 'failed' else 'success' end
           as status,
         $5::timestamptz - make_interval(days => $6::int) * (1 - i / $3::float8) as at
         from generate_series(1::bigint, $3::int) i) a) b`,
    [platformIds, EVENT_TYPES, count, PENDING, now, DAYS],
  );
  await world.neon.query(
    `insert into delivery_attempts (delivery_id, number, started_at, response_code, duration_ms, error)
     select id, number, created_at + make_interval(secs => case number when 1 then 0 when 2 then 1 else 11 end),
       case when number = attempts then response_code else 503 end, duration_ms,
       case when number < attempts or status = 'failed' then 'answered 503' end
     from deliveries, generate_series(1, attempts) number`,
  );
  await world.neon.query(
    `insert into delivery_days
     select platform_id, (finished_at at time zone 'UTC')::date, count(*) filter (where status = 'success'),
       count(*) filter (where status = 'failed'), count(*) filter (where response_code > 0),
       coalesce(sum(duration_ms) filter (where response_code > 0), 0)
     from deliveries where status <> 'pending' group by 1, 2`,
  );
  await tidy(world);
}

/** Vacuums and analyzes the tables, as autovacuum does in time. */
export async function tidy(world: World): Promise<void> {
  for (const table of ['deliveries', 'delivery_attempts', 'delivery_days'])
    await world.neon.query(`vacuum (analyze) ${table}`);
}

/** Restores the rows that replays and sweeps have changed. */
export async function restore(world: World): Promise<void> {
  await world.neon.query('delete from deliveries where replay_of is not null');
  await world.neon.query('update deliveries set event_at = created_at where event_at is null');
  await world.neon.query('update deliveries set asked_at = null where asked_at is not null');
}
