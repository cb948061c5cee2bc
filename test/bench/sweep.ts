// Measures how a sweep works off the backlog of a long outage. Uses a real Postgres, in a database of its own that is
// dropped at the end, and the real Worker. Local stand-ins replace everyone else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench -- sweep
//
// BENCH_OVERDUE (10,000) bookings of one platform are overdue. At every tick, another platform has one overdue booking,
// younger than all of those. Google takes BENCH_GOOGLE_MS (50) to answer. A tick comes each minute, and the unused rest
// of each minute is added to the printed time. The bench also prints the cost of one operation, and the machine's load,
// which limits the speed here. It exits with 1 if ten minutes were not enough, or if the other platform's work waited
// for a second tick.
import { loadavg } from 'node:os';
import { temporaryDatabase } from '../local/open-db.ts';
import { createSecrets } from '../local/platforms.ts';
import { startWorld } from '../local/world.ts';
import { ms, printTable, quantile } from './figures.ts';
import { platformWithPair, reserveOverdue, unfinishedOf } from './overdue.ts';

const {
  TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres',
  BENCH_OVERDUE = '10000',
  BENCH_GOOGLE_MS = '50',
} = process.env;
const COUNT = Number(BENCH_OVERDUE);
const MINUTE = 60_000;
const LIMIT = 10 * MINUTE;

const database = await temporaryDatabase(TEST_POSTGRES);
const world = await startWorld({ postgresUrl: database.url, secrets: createSecrets() });
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await world.close();
  await database.drop();
}

async function bench(): Promise<boolean> {
  const [many, few] = [await platformWithPair(world, 'many'), await platformWithPair(world, 'few')];
  await reserveOverdue(world, many, COUNT, 10 * MINUTE);
  world.latency.set({ google: Number(BENCH_GOOGLE_MS) });
  const waits: number[] = [];
  let [ticks, total, worked] = [0, 0, 0];
  const calls = { neon: 0, google: 0 };
  for (let left = COUNT; left > 0 && total < 2 * LIMIT; left = await unfinishedOf(world, many)) {
    await reserveOverdue(world, few, 1, MINUTE);
    world.traffic.clear();
    const started = Date.now();
    const ticking = world.worker.runScheduled(world.clock.now());
    while ((await unfinishedOf(world, few)) > 0 && Date.now() - started < MINUTE)
      await new Promise((next) => setTimeout(next, 20));
    waits.push(Date.now() - started);
    await ticking;
    const took = Date.now() - started;
    ticks += 1;
    worked += took;
    for (const { target } of world.traffic.list()) if (target === 'neon' || target === 'google') calls[target] += 1;
    const isLast = (await unfinishedOf(world, many)) === 0;
    total += isLast ? took : Math.max(took, MINUTE);
    if (!isLast) await world.advance(Math.max(0, MINUTE - took));
    console.log(
      `tick ${ticks}: ${ms(took)} ms, ${await unfinishedOf(world, many)} left, load ${loadavg()[0]?.toFixed(1)}`,
    );
  }
  printTable([
    [
      'overdue',
      'ticks',
      'minutes in all',
      'a second',
      'Postgres each',
      'Google each',
      'other platform, median ms',
      'longest',
    ],
    [
      COUNT,
      ticks,
      (total / MINUTE).toFixed(1),
      (COUNT / (worked / 1_000)).toFixed(0),
      (calls.neon / COUNT).toFixed(2),
      (calls.google / COUNT).toFixed(2),
      ms(quantile(waits, 0.5)),
      ms(Math.max(...waits)),
    ].map(String),
  ]);
  return total <= LIMIT && (await unfinishedOf(world, many)) === 0 && Math.max(...waits) < MINUTE;
}
