import type pg from 'pg';

/**
 * Callers of the growth bench: the platform with a tenth of all meetings, and its person with five thousand meetings.
 */
export interface Actors {
  platformId: string;
  busyId: string;
}

const SECOND_HALF_OF_AN_HOUR = "interval '30 minutes'";

/**
 * Fills the database from one number of meetings to another, as years of use would leave it.
 * - One platform has a tenth of all meetings and people. Eighteen others share the rest.
 * - One person has every second of the first ten thousand meetings. Other people have some twenty each.
 * - Most meetings lie in the past, with 29 days of deliveries and jobs and one day of idempotency keys. None of these
 *   rows is old enough to be deleted before the bench ends.
 * - A tenth of all meetings were booked by batches of a hundred, which ended in the last thirty days.
 */
export async function fill(client: pg.Client, { platformId, busyId }: Actors, from: number, to: number): Promise<void> {
  const n = `generate_series(${from + 1}, ${to}) n`;
  const platform = `case when n % 10 = 0 then '${platformId}' else 'plat_fill' || n % 20 end`;
  const requesterAt = `n::bigint * 7919 % ${to / 10}`;
  const other = `'user_fill' || (n::bigint * 7919 + 1 + n % 7) % ${to / 10}`;
  const requester = `case when n <= 10000 and n % 2 = 0 then '${busyId}' else 'user_fill' || ${requesterAt} end`;
  const start = `date_trunc('day', now()) - interval '730 days' + (n::bigint * 7919 % 72960) * interval '15 minutes'`;
  const made = `least(now(), ${start}) - interval '3 days'`;
  const lately = `now() - (n % 2500000) * interval '1 second'`;
  const indexes = await droppableIndexes(client);
  const statements = [
    "set session_replication_role = 'replica'",
    'set synchronous_commit = off',
    "set maintenance_work_mem = '1GB'",
    "set work_mem = '256MB'",
    ...indexes.map(({ name }) => `drop index ${name}`),
    `insert into platforms (id, name, email, plan, redirect_uris, created_at)
    select 'plat_fill' || n, 'Fill', 'dev@fill.test', 'pro', '{}', now() from generate_series(0, 19) n on conflict do nothing`,
    `insert into users (id, email, created_at) select 'user_fill' || n, 'fill' || n || '@people.test', now()
    from generate_series(${from / 10}, ${to / 10}) n on conflict do nothing`,
    `insert into calendar_accounts (user_id, provider_id, status, refresh_token, access_token, access_expires_at, scope, updated_at)
    select 'user_fill' || n, 'fill' || n, 'connected', 'sealed', 'sealed', now(), '', now()
    from generate_series(${from / 10}, ${to / 10}) n on conflict do nothing`,
    `insert into connections (platform_id, user_id, connected_at, last_used_at)
    select ${platform}, 'user_fill' || n, now(), now() from generate_series(${from / 10}, ${to / 10}) n on conflict do nothing`,
    `insert into busy_snapshots (user_id, turn_of, synced_gen, busy, covers_from, covers_until, read_at, used_at, due_at, watch_at)
    select 'user_fill' || n, ${platform}, 1, '[1, 2]', now(), now() + interval '60 days', now(), now(), now() + interval '1 year', now() + interval '1 year'
    from generate_series(${from / 10}, ${to / 10}) n on conflict do nothing`,
    `insert into watch_channels (id, user_id, calendar, token_hash, opened_at, expires_at)
    select 'chan_fill' || n, 'user_fill' || n, 'fill' || n || '@people.test', md5('' || n), now(), now() + interval '1 year'
    from generate_series(${from / 10}, ${to / 10}) n on conflict do nothing`,
    `insert into usage (platform_id, month, used, confirmed, quota)
    select 'plat_fill' || n % 20, to_char(now() - (n / 20) * interval '1 month', 'YYYY-MM'), 100, 100, null
    from generate_series(0, 479) n on conflict do nothing`,
    `insert into usage_notices (platform_id, month, percentage, event_id, created_at)
    select platform_id, month, 80, platform_id || month, now() from usage where platform_id like 'plat_fill%' on conflict do nothing`,
    `insert into delivery_days (platform_id, day, success, failed, answered, answered_ms)
    select 'plat_fill' || n % 20, (now() - (n / 20) * interval '1 day')::date, 10, 1, 11, 500 from generate_series(0, 3999) n on conflict do nothing`,
    `insert into jobs (id, platform_id, status, request, result, attempts, created_at, completed_at)
    select 'sched_fill' || n, ${platform}, 'completed', '{"attendees":[]}', '{"job_id":""}', 1, ${lately}, ${lately} from ${n} where n % 10 = 0 or n % 10 = 3`,
    `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id,
      day_parts, exclusive, usage_month, job_id, created_at, updated_at, cancelled_at)
    select 'meet_fill' || n, ${platform}, ${requester}, case n % 20 when 4 then 'cancelled' when 6 then 'updated' else 'scheduled' end,
      'Quarterly review', 'Google Meet', ${start}, ${start} + ${SECOND_HALF_OF_AN_HOUR}, md5('event' || n), '{morning,afternoon}', n % 3 = 0, '2026-01',
      case when n % 10 = 0 or n % 10 = 3 then 'sched_fill' || n end, ${made}, ${made}, case when n % 20 = 4 then ${made} end from ${n}`,
    `insert into batches (id, platform_id, status, is_dry_run, total, options, created_at, ended_at)
    select 'batch_fill' || n, case when n % 10 = 0 then '${platformId}' else 'plat_fill' || n % 20 end, 'completed', false, 100, '{}',
      now() - (n * 1000 % 2500000) * interval '1 second', now() - (n * 1000 % 2500000) * interval '1 second'
    from generate_series(${from / 1_000}, ${to / 1_000}) n on conflict do nothing`,
    `insert into batch_meetings (batch_id, position, reference, requester_email, other_email, request, state, starts_at, ends_at, meeting_id)
    select 'batch_fill' || n / 1000, n % 1000 / 10, 'pair ' || n, 'fill' || n || '@people.test', 'fill' || n + 1 || '@people.test',
      '{"durationMinutes":30,"priority":0,"metadata":{}}', 'booked', ${start}, ${start} + ${SECOND_HALF_OF_AN_HOUR}, 'meet_fill' || n from ${n} where n % 10 = 5`,
    `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
    select 'meet_fill' || n, ${platform}, ${start}, ${requester}, 'fill@people.test', 0 from ${n}`,
    `insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position)
    select 'meet_fill' || n, ${platform}, ${start}, ${other}, 'fill@people.test', 1 from ${n}`,
    `insert into meeting_months (party, month, made, rescheduled, cancelled, accepted, accepted_fast, accepted_ms, morning, afternoon, evening)
    select party, to_char(m.created_at at time zone 'UTC', 'YYYY-MM'), count(*), 0, count(*) filter (where m.status = 'cancelled'), 0, 0, 0, count(*), 0, 0
    from ${n} join meetings m on m.id = 'meet_fill' || n join meeting_people p on p.meeting_id = m.id
    cross join lateral (values (p.user_id), (m.platform_id)) o (party)
    group by 1, 2 on conflict (party, month) do update set made = meeting_months.made + excluded.made`,
    `insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select p.meeting_id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, 0
    from ${n} join meetings m on m.id = 'meet_fill' || n join meeting_people p on p.meeting_id = m.id
    where m.starts_at > now() - interval '30 days' and m.status in ('scheduled', 'updated')`,
    `insert into deliveries (id, event_id, platform_id, event_type, meeting_id, body, url, status, attempts, max_attempts, response_code, duration_ms, created_at, finished_at, event_at)
    select 'wh_del_fill' || n, 'wh_fill' || n, ${platform}, 'meeting.scheduled', 'meet_fill' || n, '{"data":{"title":"' || repeat('x', 580) || '"}}', 'https://fill.test', case when n % 50 = 0 then 'failed' else 'success' end,
      1, 3, 200, 50, ${lately}, ${lately}, ${lately} from ${n} where n % 5 = 0`,
    `insert into delivery_attempts (delivery_id, number, started_at, response_code, duration_ms)
    select 'wh_del_fill' || n, 1, ${lately}, 200, 50 from ${n} where n % 5 = 0`,
    `insert into idempotency_keys (platform_id, operation, key, fingerprint, state, owner, lease_until, resource_id, status, body, created_at)
    select ${platform}, 'schedule', 'key' || n, md5('' || n), 'done', 'own', now(), 'meet_fill' || n, 200, repeat('x', 300), now() - (n % 80000) * interval '1 second'
    from ${n} where n % 20 = 7`,
    `insert into learning_ledger (id, user_id, source, meeting_id, pattern, weight, before, after, created_at)
    select 'led_fill' || n, ${requester}, 'reschedule', 'meet_fill' || n, 'too early', 'time_of_day_preference.morning', 1, 0.8, ${made}
    from ${n} where n % 20 = 9`,
    `insert into standing_rules (id, user_id, source, position, kind, part, quote, created_at)
    select 'rule_fill' || n, 'user_fill' || n / 2, 'scheduling_context', n % 2, 'times', '{"verdict":"never","clock":{"from":0,"to":600}}', 'Nothing before 10', now()
    from generate_series(${(from / 10) * 2}, ${(to / 10) * 2}) n on conflict do nothing`,
    ...indexes.map(({ definition }) => definition),
    "set session_replication_role = 'origin'",
    'vacuum analyze',
  ];
  for (const statement of statements) await client.query(statement);
}

/**
 * Returns the indexes that can be dropped while the tables are filled, because no rule rests on them. To build them
 * afterwards takes a fraction of the time that the inserts would take with them.
 */
async function droppableIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not indisunique and not indisexclusion`,
  );
  return rows;
}
