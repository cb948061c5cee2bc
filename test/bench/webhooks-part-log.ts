import pg from 'pg';
import { temporaryDatabase } from '../local/temporary-database.ts';
import { startWorld, type World } from '../local/world.ts';
import { ms, printTable, quantile, ratio } from './figures.ts';
import { type Case, type LogPlatform, logCases } from './webhooks-log-cases.ts';
import { explain, type Plan, type Sent, watchNeon } from './webhooks-plans.ts';
import { fillDeliveries, restore } from './webhooks-rows.ts';

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
  const sent: (Sent & { as: string })[] = [];
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
