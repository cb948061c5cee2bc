import pg from 'pg';
import { formatCursor, type Place } from '../../schema/api/paging.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events/schemas.ts';
import { type Query, Statements, toText } from '../local/neon.ts';
import { temporaryDatabase } from '../local/temporary-database.ts';
import { startWorld, type World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable, quantile, ratio } from './figures.ts';

const PLATFORMS = 50;
const FEW = 10_000;
const BIG_TABLES = ['deliveries', 'delivery_attempts'];

interface Measured {
  name: string;
  samples: number[];
  plans: (Plan & { as: string })[];
}

/**
 * Times the operations of the delivery log with many rows and with few, and prints the times with the query plans.
 * Returns the statements that read whole tables.
 */
export async function benchLog(adminUrl: string, count: number): Promise<string[]> {
  const database = await temporaryDatabase(adminUrl);
  const world = await startWorld({ postgresUrl: database.url });
  const client = new pg.Client({ connectionString: database.url, options: '-c timezone=UTC' });
  try {
    await client.connect();
    const platforms: LogPlatform[] = [];
    for (let i = 0; i < PLATFORMS; i += 1) {
      const made = await world.platforms.create({ name: `Platform ${i}`, plan: 'enterprise' });
      platforms.push({ id: made.id, key: made.secret_key });
    }
    const watch = watchNeon(world);
    const measureAt = async (rows: number) => {
      const from = Date.now();
      await fillDeliveries(
        world,
        platforms.map(({ id }) => id),
        rows,
      );
      console.log(`${rows} deliveries filled in ${((Date.now() - from) / 1_000).toFixed(0)} s`);
      const measured: Measured[] = [];
      for (const one of logCases(world)) measured.push(await measure(one, { world, platforms, watch, client }));
      return measured;
    };
    const few = await measureAt(FEW);
    const many = await measureAt(count);
    report(few, many, count);
    return many.flatMap(({ name, plans }) =>
      plans.flatMap(({ as, scanned }) =>
        scanned
          .filter((table) => BIG_TABLES.includes(table))
          .map((table) => `${name} (${as} platform): reads ${table} from end to end`),
      ),
    );
  } finally {
    await client.end();
    await world.close();
    await database.drop();
  }
}

interface Tools {
  world: World;
  platforms: LogPlatform[];
  watch: ReturnType<typeof watchNeon>;
  client: pg.Client;
}

/** The first runs warm up, as platforms that differ much. Their statements are explained on unchanged rows. */
async function measure(one: Case, { world, platforms, watch, client }: Tools): Promise<Measured> {
  const platformAt = (i: number) => platforms[i % platforms.length] as LogPlatform;
  const sent: (Query & { as: string })[] = [];
  for (const [as, platform] of [
    ['biggest', platforms.at(0)],
    ['usual', platforms.at(1)],
    ['quiet', platforms.at(-1)],
  ] as const) {
    if (platform === undefined) continue;
    watch.take();
    await one.run(platform);
    sent.push(...watch.take().map((statement) => ({ ...statement, as })));
    if (one.changes) await restore(world);
  }
  const plans: Measured['plans'] = [];
  for (const statement of sent) plans.push({ ...(await explain(client, statement)), as: statement.as });
  const samples: number[] = [];
  for (let i = 0; i < one.times; i += 1) {
    const from = performance.now();
    await one.run(platformAt(i));
    samples.push(performance.now() - from);
    if (one.changes) await restore(world);
  }
  return { name: one.name, samples, plans };
}

const shown = ({ as, tookMs, discarded }: Measured['plans'][number]) =>
  `${as} ${ms(tookMs)}${discarded > 1_000 ? `, ${discarded} rows thrown away` : ''}`;

function report(few: Measured[], many: Measured[], count: number): void {
  const sqlMs = ({ plans }: Measured) =>
    plans.filter(({ as }) => as === 'biggest').reduce((sum, { tookMs }) => sum + tookMs, 0);
  console.log(
    '\nwhole calls through the Worker, ms; SQL is EXPLAIN ANALYZE of what one call as the biggest platform sent',
  );
  printTable([
    ['', 'calls', 'p50', 'p99', `p50, ${FEW}`, 'ratio', 'SQL', `SQL, ${FEW}`],
    ...many.map((one, i) => {
      const small = few[i] ?? one;
      const [p50, small50] = [quantile(one.samples, 0.5), quantile(small.samples, 0.5)];
      return [
        ...[one.name, String(one.samples.length), ms(p50), ms(quantile(one.samples, 0.99)), ms(small50)],
        ...[ratio(p50, small50), ms(sqlMs(one)), ms(sqlMs(small))],
      ];
    }),
  ]);
  console.log(`\nplans at ${count} rows: as which platform, ms, nodes from the outermost in`);
  for (const { name, plans } of many)
    for (const [nodes, same] of Map.groupBy(plans, (plan) => plan.nodes.join(' › ')))
      console.log(`${name} (${same.map(shown).join('; ')}): ${nodes}`);
}

const DAY_MS = 86_400_000;
const LOGS = '/v1/platform/webhook/logs';
const COMMON = 'user.calendar.connected';
const RARE = 'platform.usage_limit_reached';

interface LogPlatform {
  id: string;
  key: string;
}

/** Operation of the delivery log that is timed as a whole, and the SQL statements it sends. */
interface Case {
  name: string;
  /** Number of repetitions. Each runs as the next platform, the biggest first. */
  times: number;
  /** True if the operation changes rows, which the bench then restores. */
  changes: boolean;
  run(platform: LogPlatform): Promise<void>;
}

/** Returns the operations of the log endpoints and of the sweep, as requests to the API. */
function logCases(world: World): Case[] {
  const send = async ({ key }: LogPlatform, method: string, path: string, body?: unknown) => {
    const { status, text } = await createClient(world.baseUrl, key).send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  const read = (name: string, path: string | ((platform: LogPlatform) => Promise<string>)): Case => ({
    name,
    times: 100,
    changes: false,
    async run(platform) {
      await send(platform, 'GET', LOGS + (typeof path === 'string' ? path : await path(platform)));
    },
  });
  const replay = (name: string, days: number, status: object): Case => ({
    name,
    times: 20,
    changes: true,
    async run(platform) {
      const since = new Date(world.clock.now() - days * DAY_MS).toISOString();
      await send(platform, 'POST', '/v1/platform/webhook/replay', { since, ...status });
    },
  });
  const middle = places(world);
  return [
    read('newest', ''),
    read('200 a page', '?limit=200'),
    read('common event', `?event=${COMMON}`),
    read('rare event', `?event=${RARE}`),
    read('failed', '?status=failed'),
    read('rare event, failed', `?event=${RARE}&status=failed`),
    read('cursor halfway', async (platform) => `?cursor=${formatCursor(await middle(platform))}`),
    read('cursor halfway, failed', async (platform) => `?status=failed&cursor=${formatCursor(await middle(platform))}`),
    read('one with attempts', async (platform) => `/${(await middle(platform)).id}`),
    replay('replay failed of 1 day', 1, { status: 'failed' }),
    replay('replay failed of 30 days', 30, { status: 'failed' }),
    replay('replay all of 30 days', 30, {}),
    { name: 'sweep', times: 5, changes: true, run: () => world.worker.runScheduled(world.clock.now()) },
  ];
}

/** Finds the delivery in the middle of each platform's log. */
function places(world: World) {
  const known = new Map<string, Place>();
  return async ({ id: platformId }: LogPlatform) => {
    const found = known.get(platformId) ?? (await middleOf(world, platformId));
    known.set(platformId, found);
    return found;
  };
}

async function middleOf(world: World, platformId: string) {
  const [row] = await world.neon.query(
    `select id, (extract(epoch from created_at) * 1000)::float8 as at from deliveries
     where platform_id = $1 and status <> 'pending' order by created_at
     offset (select count(*) / 2 from deliveries where platform_id = $1) limit 1`,
    [platformId],
  );
  return { id: String(row?.id), at: Number(row?.at) };
}

const DAYS = 31;
const PENDING = 1_000;

/**
 * Replaces all deliveries by `count` new ones, spread over 31 days in order of time.
 * - The first platform gets a fifth of today's deliveries. The others share the rest evenly.
 * - The last platform has had no delivery for 20 days, and had most of the deliveries before that.
 * - There are common and rare event types, 3 % of the deliveries failed, and the newest 1,000 are due.
 */
async function fillDeliveries(world: World, platformIds: string[], count: number): Promise<void> {
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
async function tidy(world: World): Promise<void> {
  for (const table of ['deliveries', 'delivery_attempts', 'delivery_days'])
    await world.neon.query(`vacuum (analyze) ${table}`);
}

/** Restores the rows that replays and sweeps have changed. */
async function restore(world: World): Promise<void> {
  await world.neon.query('delete from deliveries where replay_of is not null');
  await world.neon.query('update deliveries set event_at = created_at where event_at is null');
  await world.neon.query('update deliveries set asked_at = null where asked_at is not null');
}

interface Plan {
  /** Duration in milliseconds by the server's clock. */
  tookMs: number;
  /** Nodes of the query plan, each with its index or table, outermost first. */
  nodes: string[];
  /** Number of rows that were read and then discarded by a filter. */
  discarded: number;
  /** Tables that were read from end to end. */
  scanned: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

interface Explained {
  Plan: PlanNode;
  'Execution Time': number;
}

/** Records from now on the statements about deliveries that reach the database. */
function watchNeon({ neon }: World): { take(): Query[] } {
  let sent: Query[] = [];
  const answer = neon.fetch;
  neon.fetch = async (request) => {
    const parsed = Statements.safeParse(await request.clone().json());
    for (const statement of parsed.data ?? []) if (/deliver(ies|y_)/.test(statement.query)) sent.push(statement);
    return answer(request);
  };
  return {
    take() {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}

/** Runs a statement once more under EXPLAIN and rolls it back. */
async function explain(client: pg.Client, { query, params }: Query): Promise<Plan> {
  await client.query('begin');
  try {
    const explained = `explain (analyze, format json) ${query}`;
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(explained, params.map(toText));
    const [found] = rows[0]?.['QUERY PLAN'] ?? [];
    if (found === undefined) throw new Error(`no plan for ${query}`);
    const { Plan: root, 'Execution Time': tookMs } = found;
    const all = flat(root);
    return {
      tookMs,
      nodes: all.map((node) =>
        [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' '),
      ),
      discarded: all.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'], 0),
      scanned: all.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
    };
  } finally {
    await client.query('rollback');
  }
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
