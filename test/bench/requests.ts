// Measures the response time of a search. Uses the real Worker and local stand-ins, none of which answers faster than the
// real service would:
//
//   npm run bench -- requests
//
// Postgres takes BENCH_NEON_MS (8), Redis BENCH_REDIS_MS (5) and Google BENCH_GOOGLE_MS (120), or longer if the
// stand-in itself needs longer. BENCH_REQUESTS (100) searches of each kind run one after the other. The bench exits
// with 1 if the median search takes longer than the goal.

import { HOUR } from '../../lib/engine/time/dates.ts';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable, quantile } from './figures.ts';

const { BENCH_NEON_MS = '8', BENCH_REDIS_MS = '5', BENCH_GOOGLE_MS = '120', BENCH_REQUESTS = '100' } = process.env;
const GOAL_MS = { snapshot: 45, google: 150 };
/** A fresh read serves the requests of the next second, so a search that is to ask Google begins later. */
const UNSHARED_MS = 1_100;

const world = await startWorld();
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await world.close();
}

async function bench(): Promise<boolean> {
  const platform = await world.platforms.create({ name: 'Bench', plan: 'scale', redirect_uris: [] });
  const { send } = createClient(world.baseUrl, platform.secret_key);
  const attendees = ['ada@bench.test', 'bob@bench.test'];
  for (const email of attendees) {
    world.google.addUser({ email, timezone: 'Europe/Berlin' });
    world.google.addBusy(busyDays(email));
    await world.connectCalendar(platform, email);
  }
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  await world.google.settled();
  const latencies = { neon: Number(BENCH_NEON_MS), redis: Number(BENCH_REDIS_MS), google: Number(BENCH_GOOGLE_MS) };
  world.latency.set(latencies);
  // Warm-up: the first requests are slower than all later ones.
  for (let count = 0; count < 30; count++) await send('POST', '/v1/availability?fresh=true', { attendees });
  const began = world.traffic.list().length;

  const rows = [['search', 'p50', 'p99', 'goal for p50']];
  let isReached = true;
  for (const source of ['snapshot', 'google'] as const) {
    const took: number[] = [];
    for (let count = 0; count < Number(BENCH_REQUESTS); count++) {
      if (source === 'google') await world.advance(UNSHARED_MS);
      const started = performance.now();
      const answer = await send('POST', `/v1/availability${source === 'google' ? '?fresh=true' : ''}`, { attendees });
      took.push(performance.now() - started);
      const { calendars } = answer.body as { calendars: { source: string }[] };
      if (calendars.some((one) => one.source !== source)) throw new Error(`not from ${source}: ${answer.text}`);
    }
    const p50 = quantile(took, 0.5);
    rows.push([source, `${ms(p50)} ms`, `${ms(quantile(took, 0.99))} ms`, `${GOAL_MS[source]} ms`]);
    isReached &&= p50 <= GOAL_MS[source];
  }
  printTable(rows);
  const took = Object.keys(latencies).map((target) => {
    const calls = world.traffic
      .list()
      .slice(began)
      .filter((call) => call.target === target);
    return `${target} ${ms(
      quantile(
        calls.flatMap(({ start, end }) => (end === null ? [] : [end - start])),
        0.5,
      ),
    )} ms`;
  });
  console.log(`the median call takes: ${took.join(', ')}`);
  return isReached;
}

function busyDays(email: string) {
  const today = Math.floor(world.clock.now() / (24 * HOUR)) * 24 * HOUR;
  return Array.from({ length: 500 }, (_, index) => {
    const start = today + Math.floor(index / 5) * 24 * HOUR + (8 + 2 * (index % 5)) * HOUR;
    return { email, start: new Date(start).toISOString(), end: new Date(start + HOUR / 2).toISOString() };
  });
}
