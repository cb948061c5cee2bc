// Measures the response time of a search, and the round trips of each endpoint. Uses the real Worker and local
// stand-ins, none of which answers faster than the real service would:
//
//   npm run bench -- requests
//
// Postgres takes BENCH_NEON_MS (8), Redis BENCH_REDIS_MS (5) and Google BENCH_GOOGLE_MS (120), or longer if the
// stand-in itself needs longer. BENCH_REQUESTS (100) searches of each kind run one after the other. A hop is a call
// that waits for an earlier call. The bench exits with 1 if the median search takes longer than the goal.

import { hopsOf } from '../local/traffic.ts';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable, quantile } from './figures.ts';

const { BENCH_NEON_MS = '8', BENCH_REDIS_MS = '5', BENCH_GOOGLE_MS = '120', BENCH_REQUESTS = '100' } = process.env;
const GOAL_MS = { snapshot: 45, google: 150 };
const HOUR = 3_600_000;
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
  console.log(`the median call takes: ${took.join(', ')}\n`);
  await printHops(send, attendees);
  return isReached;
}

/** Calls each endpoint once, and prints its calls by service and its hops. */
async function printHops(send: ReturnType<typeof createClient>['send'], attendees: string[]): Promise<void> {
  const start = new Date(Math.ceil(world.clock.now() / HOUR) * HOUR + 60 * HOUR).toISOString();
  const body = { attendees, start_time: start, duration_minutes: 30, title: 'Bench' };
  const person = `/v1/users/${attendees[0]}`;
  const rows = [['endpoint', 'Postgres', 'Redis', 'Google', 'QStash', 'hops']];
  const measure = async (method: string, path: string, sent?: object, shown = path) => {
    const answer = await send(method, path, sent);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    const id = answer.headers.get('x-request-id');
    const calls = world.traffic.list().filter((call) => call.request_id === id);
    const count = (target: string) => String(calls.filter((call) => call.target === target).length);
    rows.push([
      `${method} ${shown}`,
      count('neon'),
      count('redis'),
      count('google'),
      count('qstash'),
      String(hopsOf(calls)),
    ]);
    return answer.body as { meeting_id: string; new_meeting_id: string; proposal_id: string; times: { id: string }[] };
  };
  await measure('POST', '/v1/availability', { attendees });
  await world.advance(UNSHARED_MS);
  await measure('POST', '/v1/availability?fresh=true', { attendees });
  await measure('GET', `${person}/availability`, undefined, '/v1/users/{email}/availability');
  const { meeting_id: id } = await measure('POST', '/v1/schedule', body);
  await measure('GET', `/v1/meetings/${id}`, undefined, '/v1/meetings/{id}');
  const later = (hours: number) => new Date(Date.parse(start) + hours * HOUR).toISOString();
  const times = { start_time: later(24), end_time: later(25) };
  await measure('PUT', `/v1/meetings/${id}`, times, '/v1/meetings/{id}');
  const asked = { meeting_id: id, requested_by: attendees[1], reason: 'too early' };
  const moved = await measure('POST', `/v1/meetings/${id}/reschedule`, asked, '/v1/meetings/{id}/reschedule');
  await measure('DELETE', `/v1/meetings/${moved.new_meeting_id}`, undefined, '/v1/meetings/{id}');
  await measure('POST', '/v1/schedule/auto', { attendees });
  const proposal = await measure('POST', '/v1/proposals', { attendees, duration_minutes: 30, title: 'Bench' });
  await measure('DELETE', `/v1/proposals/${proposal.proposal_id}`, undefined, '/v1/proposals/{id}');
  const { body: free } = await send('POST', '/v1/availability?fresh=true', { attendees });
  const [slot] = (free as { slots: { start_time: string }[] }).slots;
  const { proposal_id: offer, times: offered } = await measure('POST', '/v1/proposals', {
    ...{ attendees, duration_minutes: 30, title: 'Bench', times: [slot?.start_time] },
  });
  const chosen = { time_id: offered[0]?.id };
  await measure('POST', `/v1/proposals/${offer}/accept`, chosen, '/v1/proposals/{id}/accept');
  await measure('GET', '/v1/calendars');
  printTable(rows);
}

function busyDays(email: string) {
  const today = Math.floor(world.clock.now() / (24 * HOUR)) * 24 * HOUR;
  return Array.from({ length: 500 }, (_, index) => {
    const start = today + Math.floor(index / 5) * 24 * HOUR + (8 + 2 * (index % 5)) * HOUR;
    return { email, start: new Date(start).toISOString(), end: new Date(start + HOUR / 2).toISOString() };
  });
}
