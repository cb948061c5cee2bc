// Measures what each SQL statement costs as the database grows. Runs on a real Postgres, in a database of its own that
// is dropped at the end:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench -- growth
//
// BENCH_SIZES (10000,100000,1000000) are numbers of meetings, each with the rows that belong to it (growth-fill.ts). At
// each size, the bench runs every kind of request, message and chore (growth-steps.ts). It also runs each of their
// statements five more times under EXPLAIN and rolls them back. The bench exits with 1 if a statement reads a big table
// from end to end. It also exits with 1 if a statement reads over half as many pages again at the largest size as at
// the smallest (and more than a few), unless growth-reasons.ts gives a reason.
import pg from 'pg';
import { HOSTS } from '../local/hosts.ts';
import { createSecrets } from '../local/secrets.ts';
import { temporaryDatabase } from '../local/temporary-database.ts';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable, quantile } from './figures.ts';
import { fill } from './growth-fill.ts';
import { reasonFor } from './growth-reasons.ts';
import { walk } from './growth-steps.ts';
import { type Measured, watchStatements } from './growth-watch.ts';

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

/** Prints the bytes on disk per meeting, with indexes, by table. */
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

/** Returns a short text of a statement: its verb, its table and a little more. */
function shortened(query: string): string {
  return query.replace(/\s+/g, ' ').replaceAll('"', '').trim().slice(0, 80);
}
