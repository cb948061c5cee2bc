import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { migratedDatabase } from '../support/worlds/prepared.ts';
import { bundleWorker } from './bundle.ts';
import { startRelayWorld } from './fixtures/relay-world.ts';
import { type ReservedPort, reservePort } from './free-port.ts';
import { startWorker } from './worker-process.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

const RELAY = fileURLToPath(new URL('fixtures/worker.ts', import.meta.url));

let world: World | undefined;
const strangers: ReservedPort[] = [];
async function close() {
  await world?.close();
  world = undefined;
}
afterEach(async () => {
  await close();
  for (const { release } of strangers.splice(0)) await release();
});

test('nobody else can take the port of the Worker: neither while it starts nor when it died', async () => {
  const port = await reservePort();
  const isRefused = () => expect(reservePort(port.port)).rejects.toThrow('is taken');
  const tries: Promise<void>[] = [];
  const { baseUrl, worker } = await start(port, async (options) => {
    await isRefused();
    const starting = startWorker({ ...options, onSpawn: () => tries.push(isRefused()) });
    await isRefused();
    return starting;
  });
  expect(baseUrl).toBe(`http://localhost:${port.port}`);
  expect(await status(baseUrl)).toBe(200);
  const killed = worker.kill();
  await isRefused();
  await killed;
  expect(await status(baseUrl)).toBe(200);
  expect(tries).toHaveLength(2);
  await Promise.all(tries);
  await close();
  await (await reservePort(port.port)).release();
});

test('a Worker gets another port if somebody takes the one behind the world’s', async () => {
  const port = await reservePort();
  const tried: number[] = [];
  const { baseUrl } = await start(port, async (options) => {
    if (tried.push(options.port) < 3) strangers.push(await reservePort(options.port));
    return startWorker(options);
  });
  expect(new Set([port.port, ...tried]).size).toBe(4);
  expect(await status(baseUrl)).toBe(200);
});

test('a client of a Worker that dies sees its connection break, and the next Worker answers', async () => {
  const { baseUrl, worker, faults } = await start(await reservePort());
  faults.add({ target: 'google', mode: 'kill', times: 1 });
  const to = encodeURIComponent('https://www.googleapis.com/calendar/v3/users');
  await expect(fetch(`${baseUrl}/?to=${to}`)).rejects.toThrow('fetch failed');
  await worker.ready();
  expect(await status(baseUrl)).toBe(200);
});

async function start(port: ReservedPort, runWorker: WorldOptions['runWorker'] = startWorker): Promise<World> {
  const script = await bundleWorker(RELAY);
  world = await startWorld({ port, script, runWorker, snapshot: await migratedDatabase(), report: () => undefined });
  return world;
}

const status = async (baseUrl: string) => (await fetch(baseUrl)).status;

const DAY = 86_400_000;

const relay = await startRelayWorld();
afterAll(() => relay.close());

async function workerTime(): Promise<{ now: number; built: string }> {
  return (await (await fetch(relay.baseUrl)).json()) as { now: number; built: string };
}

test('the Worker reads the world’s clock, and moves with it', async () => {
  const before = await workerTime();
  expect(Math.abs(before.now - relay.clock.now())).toBeLessThan(DAY / 2);
  relay.clock.advance(3 * DAY);
  await relay.worker.rereadClock();
  const after = await workerTime();
  expect(Math.floor((after.now - before.now) / DAY)).toBe(3);
  expect(Math.floor((Date.parse(after.built) - before.now) / DAY)).toBe(3);
});

test('a Worker that took over after a crash is on the same clock', async () => {
  relay.clock.advance(10 * DAY);
  await relay.worker.kill();
  const { now } = await workerTime();
  expect(Math.abs(now - relay.clock.now())).toBeLessThan(DAY);
});

test('a Worker that dies while the clock moves is replaced by one that reads it', async () => {
  for (let times = 0; times < 3; times += 1) {
    relay.clock.advance(10 * DAY);
    const read = relay.worker.rereadClock();
    await Promise.all([read, relay.worker.kill()]);
    expect(Math.abs((await workerTime()).now - relay.clock.now())).toBeLessThan(DAY);
  }
});

test('the scheduled handler runs on request, on the same clock', async () => {
  await relay.worker.runScheduled(relay.clock.now());
  const [delivery] = relay.inbox.deliveries();
  expect(Math.abs(Number(delivery?.body_text) - relay.clock.now())).toBeLessThan(DAY);
});
