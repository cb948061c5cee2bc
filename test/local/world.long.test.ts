import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { migratedDatabase } from '../support/worlds/prepared.ts';
import { bundleWorker } from './bundle.ts';
import { type ReservedPort, reservePort } from './free-port.ts';
import { startWorker } from './worker-process.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

const RELAY = fileURLToPath(new URL('fixtures/worker.ts', import.meta.url));

let world: World | undefined;
async function close() {
  await world?.close();
  world = undefined;
}
afterEach(close);

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
