import { setTimeout as pause } from 'node:timers/promises';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { HOSTS } from '../local/targets.ts';
import { createClient } from '../support/worlds/client.ts';
import { printTable } from './figures.ts';
import {
  boundOf,
  type Metered,
  meteredWorld,
  platformWithPair,
  reserveOverdue,
  type Scene,
  unfinishedOf,
} from './load-meter.ts';

// Measures how many operations the service does per second on one machine, and what limits it. Uses a real Postgres, in
// a database of its own that is dropped at the end, a real Redis and the real Worker. Local stand-ins replace everyone
// else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres TEST_REDIS=redis://127.0.0.1:6379 npm run bench -- load
//
// The bench has four parts: BENCH_COUNT (400) bookings by 16 clients on 20 platforms; the webhooks of these bookings; a
// quarter as many automatically scheduled meetings with their webhooks; and as many bookings whose writers died before
// they reached the calendar, which the sweep undoes. Each part ends after BENCH_SECONDS (30) at the latest. No network
// delays anything here. Times are printed but not judged. The CPU time of each operation varies less than the throughput
// if other programs keep the machine busy. The bench exits with 1 if a request was refused or lost, or if a part left
// work unfinished.

const { BENCH_COUNT = '400', BENCH_SECONDS = '30' } = process.env;
const COUNT = Number(BENCH_COUNT);
const LIMIT_MS = Number(BENCH_SECONDS) * 1_000;
const PLATFORMS = 20;
const CLIENTS = 16;
const QUEUE_AT_ONCE = 100;
/** Start of the booked meetings, which lies beyond every search's window. */
const BOOKED_FROM = 100 * 24 * HOUR;

let booked = 0;
const { world, startMeter, close } = await meteredWorld();
const wrongs: string[] = [];
try {
  await bench();
  console.log(wrongs.length === 0 ? '\nnothing went wrong' : `\nwent wrong:\n${wrongs.join('\n')}`);
  process.exitCode = wrongs.length === 0 ? 0 : 1;
} finally {
  await close();
}

async function bench(): Promise<void> {
  world.google.settings.pushes = 'lost';
  world.qstash.setKnobs({ parallelism: QUEUE_AT_ONCE });
  const scenes: Scene[] = [];
  for (let at = 0; at < PLATFORMS; at += 1)
    scenes.push(await platformWithPair(world, `p${at}`, `https://${HOSTS.inbox}/load/${at}`));
  await world.qstash.deliverDue();
  const meter = startMeter();
  await bookings(scenes, CLIENTS);
  await world.qstash.deliverDue();

  const parts: Record<string, Metered> = {
    bookings: await meter(() => bookings(scenes, COUNT)),
    deliveries: await meter(() => queued("select count(*)::int as left from deliveries where status = 'pending'")),
    'jobs (auto), with their webhooks': await meter(() => jobs(scenes, Math.ceil(COUNT / 4))),
    reconciliations: await meter(() => reconciliations(scenes, COUNT)),
  };
  const [left] = await world.neon.query(
    `select (select count(*)::int from deliveries where status <> 'success') as deliveries,
      (select count(*)::int from jobs where status <> 'completed') as jobs,
      (select count(*)::int - $1::int from meetings where status <> 'scheduled') as meetings`,
    [COUNT],
  );
  for (const [what, count] of Object.entries(left ?? {}))
    if (count !== 0) wrongs.push(`${count} ${what} did not end well`);
  report(parts);
}

/**
 * Runs an operation many times, with as many in parallel as there are clients, until all are done or time is up.
 * Returns the number of successes.
 */
async function atOnce(count: number, act: (at: number) => Promise<boolean>): Promise<number> {
  const until = Date.now() + LIMIT_MS;
  let [next, done] = [0, 0];
  const client = async () => {
    while (next < count && Date.now() < until) {
      const at = next++;
      if (await act(at)) done += 1;
      else wrongs.push(`${act.name} ${at} was refused`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return done;
}

function bookings(scenes: Scene[], count: number): Promise<number> {
  const clients = scenes.map(({ key }) => createClient(world.baseUrl, key));
  const from = Math.ceil(world.clock.now() / HOUR) * HOUR + BOOKED_FROM;
  return atOnce(count, async function booking(at) {
    const start_time = new Date(from + Math.floor(booked++ / PLATFORMS) * HOUR).toISOString();
    const body = { attendees: scenes[at % PLATFORMS]?.emails, start_time, duration_minutes: 30, title: 'Load' };
    const answer = await clients[at % PLATFORMS]?.schedule(body, { headers: { 'idempotency-key': `load-${booked}` } });
    return answer?.status === 200;
  });
}

/**
 * Lets the queue deliver messages until a query finds nothing left or time is up. Returns by how much the query's
 * result fell.
 */
async function queued(query: string): Promise<number> {
  const left = async () => Number((await world.neon.query(query))[0]?.left);
  const until = Date.now() + LIMIT_MS;
  const first = await left();
  world.qstash.start();
  let last = first;
  while (last > 0 && Date.now() < until) {
    await pause(50);
    last = await left();
  }
  await world.qstash.stop();
  return first - last;
}

async function jobs(scenes: Scene[], count: number): Promise<number> {
  const clients = scenes.map(({ key }) => createClient(world.baseUrl, key));
  await atOnce(count, async function job(at) {
    const body = { attendees: scenes[at % PLATFORMS]?.emails, title: 'Load', auto: true };
    return (await clients[at % PLATFORMS]?.send('POST', '/v1/schedule/auto', body))?.status === 202;
  });
  const done = await queued("select count(*)::int as left from jobs where status = 'processing'");
  await queued("select count(*)::int as left from deliveries where status = 'pending'");
  return done;
}

async function reconciliations(scenes: Scene[], count: number): Promise<number> {
  for (const scene of scenes) await reserveOverdue(world, scene, count / PLATFORMS, 10 * 60_000);
  const left = async () => {
    const counts = await Promise.all(scenes.map((scene) => unfinishedOf(world, scene)));
    return counts.reduce((sum, one) => sum + one, 0);
  };
  const until = Date.now() + LIMIT_MS;
  const first = await left();
  while ((await left()) > 0 && Date.now() < until) await world.worker.runScheduled(world.clock.now());
  return first - (await left());
}

function report(parts: Record<string, Metered>): void {
  const each = (value: number, { done }: Metered) => (value / done).toFixed(1);
  printTable([
    [
      '',
      'done',
      'a second',
      'Postgres requests each',
      'statements each',
      'cores: Worker',
      'stand-ins',
      'others',
      'bound by',
      'CPU ms each: Worker',
      'stand-ins',
      'Postgres',
    ],
    ...Object.entries(parts).map(([name, part]) => [
      name,
      String(part.done),
      (part.done / part.seconds).toFixed(part.done / part.seconds < 100 ? 1 : 0),
      each(part.requests, part),
      each(part.statements, part),
      part.worker.toFixed(2),
      part.standIns.toFixed(2),
      part.others.toFixed(2),
      boundOf(part),
      each(1_000 * part.worker * part.seconds, part),
      each(1_000 * part.standIns * part.seconds, part),
      each(1_000 * part.postgresSeconds, part),
    ]),
  ]);
}
