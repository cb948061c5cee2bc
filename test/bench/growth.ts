import pg from 'pg';
import { temporaryDatabase } from '../local/open-db.ts';
import { createSecrets } from '../local/platforms.ts';
import { HOSTS } from '../local/targets.ts';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable, quantile } from './figures.ts';
import { type Measured, reasonFor, walk, watchStatements } from './growth-steps.ts';

// Measures what each SQL statement costs as the database grows. Runs on a real Postgres, in a database of its own that
// is dropped at the end:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench -- growth
//
// BENCH_SIZES (10000,100000,1000000) are numbers of meetings, each with the rows that belong to it. At each
// size, the bench runs every kind of request, message and chore (growth-steps.ts). It also runs each of their
// statements five more times under EXPLAIN and rolls them back. The bench exits with 1 if a statement reads a big table
// from end to end. It also exits with 1 if a statement reads over half as many pages again at the largest size as at
// the smallest (and more than a few), unless growth-steps.ts gives a reason.

/**
 * Callers of the growth bench: the platform with a tenth of all meetings, and its person with five thousand meetings.
 */
interface Actors {
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
async function fill(client: pg.Client, { platformId, busyId }: Actors, from: number, to: number): Promise<void> {
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

const { TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres', BENCH_SIZES = '10000,100000,1000000' } =
  process.env;
const SIZES = BENCH_SIZES.split(',').map(Number);
const MOST_GROWTH = 1.5;
/** Allowed growth in pages. An index that is one level deeper costs one page more for each lookup. */
const A_FEW_PAGES = 16;
const BIG_ROWS = 5_000;

const database = await temporaryDatabase(TEST_POSTGRES);
const world = await startWorld({ postgresUrl: database.url, secrets: createSecrets(), patience: 20 });
const client = new pg.Client({ connectionString: database.url });
await client.connect();
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await client.end();
  await world.close();
  await database.drop();
}

async function bench(): Promise<boolean> {
  const platform = await world.platforms.create({
    name: 'Big',
    plan: 'enterprise',
    webhook_url: `https://${HOSTS.inbox}/growth`,
  });
  const [busy, friend] = ['busy@people.test', 'friend@people.test'];
  for (const email of [busy, friend]) world.google.addUser({ email, timezone: 'UTC' });
  const { api_key: userKey } = await world.connect(platform, busy);
  await world.connectCalendar(platform, friend);
  await followOnce(platform.secret_key, [busy, friend]);
  const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [busy]);
  const actors = { platformId: platform.id, busyId: rows[0]?.id ?? '' };

  const found: Map<string, Measured>[] = [];
  let [filled, step] = [0, ''];
  for (const size of SIZES) {
    const began = Date.now();
    await fill(client, actors, filled, size);
    filled = size;
    await awaken();
    const watch = watchStatements(world, database.url, () => step);
    try {
      await walk(world, { platform, busy, friend, userKey, round: found.length }, (name) => {
        step = name;
      });
    } finally {
      await watch.stop();
    }
    found.push(watch.take());
    console.log(`${size} meetings: filled and walked in ${ms((Date.now() - began) / 1_000)} s`);
  }
  await printDisk();
  return report(found, await bigTables());
}

/**
 * Makes Tandem read the calendar once, so that it does not look there for meetings that the bench inserts later without
 * events.
 */
async function followOnce(key: string, attendees: string[]): Promise<void> {
  const start_time = new Date(world.clock.now() + 48 * 3_600_000).toISOString();
  const body = { attendees, start_time, duration_minutes: 30, title: 'First' };
  await createClient(world.baseUrl, key).schedule(body);
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  await world.google.settled();
  const { rows } = await client.query('select from busy_snapshots where event_token is not null');
  if (rows.length === 0) throw new Error('no calendar was followed');
}

/** Asks until the Worker answers: while the tables were filled, it may have closed the connection that is used next. */
async function awaken(): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await createClient(world.baseUrl).send('GET', '/health');
      return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

async function printDisk(): Promise<void> {
  const { rows } = await client.query<{ relname: string; bytes: string }>(
    `select relname, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1 order by bytes desc`,
    [BIG_ROWS],
  );
  const each = rows.map(({ relname, bytes }) => `${relname} ${Math.round(Number(bytes) / (SIZES.at(-1) ?? 1))}`);
  console.log(`bytes a meeting: ${each.join(', ')}`);
}

async function bigTables(): Promise<Set<string>> {
  const { rows } = await client.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1",
    [BIG_ROWS],
  );
  return new Set(rows.map(({ relname }) => relname));
}

function report(found: Map<string, Measured>[], big: Set<string>): boolean {
  const [smallest, largest] = [found[0], found.at(-1)];
  const table: string[][] = [
    ['statement', ...SIZES.map((size) => `pages at ${size}`), 'ratio', 'p50 ms', 'p95 ms', 'p95 × first'],
  ];
  const faults: string[] = [];
  const named = new Set<string>();
  let judged = 0;
  for (const [query, last] of largest ?? []) {
    const first = smallest?.get(query);
    if (first === undefined) continue;
    judged += 1;
    const pages = found.map((at) => quantile(at.get(query)?.buffers ?? [], 0.5));
    const [least = 0, most = 0] = [pages[0], pages.at(-1)];
    const growth = most / Math.max(1, least);
    const p95 = quantile(last.tookMs, 0.95);
    const label = `${last.step}: ${shortened(query)}`;
    table.push([
      label.slice(0, 110),
      ...pages.map(String),
      growth.toFixed(2),
      ms(quantile(last.tookMs, 0.5)),
      ms(p95),
      (p95 / Math.max(0.01, quantile(first.tookMs, 0.95))).toFixed(2),
    ]);
    const scanned = [...last.scanned].filter((name) => big.has(name));
    const grows = growth > MOST_GROWTH && most - least > A_FEW_PAGES;
    if (scanned.length === 0 && !grows) continue;
    const reason = reasonFor(query);
    if (reason !== undefined) named.add(reason);
    else
      faults.push(
        `${label}\n  ${pages.join(' → ')} pages${scanned.map((name) => `, all of ${name}`).join('')}\n  ${last.nodes.join(' < ')}\n  ${query.replace(/\s+/g, ' ').slice(0, 600)}`,
      );
  }
  printTable(table);
  console.log(`${judged} statements at ${SIZES.join(', ')} meetings`);
  for (const reason of named) console.log(`grows, and why: ${reason}`);
  for (const fault of faults) console.log(`GROWS ${fault}`);
  return judged > 0 && faults.length === 0;
}

function shortened(query: string): string {
  return query.replace(/\s+/g, ' ').replaceAll('"', '').trim().slice(0, 80);
}
