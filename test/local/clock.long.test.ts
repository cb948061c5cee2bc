import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RelayWorld, startRelayWorld } from './fixtures/relay-world.ts';

const DAY = 86_400_000;

let world: RelayWorld;
beforeAll(async () => {
  world = await startRelayWorld();
});
afterAll(() => world.close());

async function workerTime(): Promise<{ now: number; built: string }> {
  return (await (await fetch(world.baseUrl)).json()) as { now: number; built: string };
}

test('the Worker reads the world’s clock, and moves with it', async () => {
  const before = await workerTime();
  expect(Math.abs(before.now - world.clock.now())).toBeLessThan(DAY / 2);
  world.clock.advance(3 * DAY);
  await world.worker.rereadClock();
  const after = await workerTime();
  expect(Math.floor((after.now - before.now) / DAY)).toBe(3);
  expect(Math.floor((Date.parse(after.built) - before.now) / DAY)).toBe(3);
});

test('a Worker that took over after a crash is on the same clock', async () => {
  world.clock.advance(10 * DAY);
  await world.worker.kill();
  const { now } = await workerTime();
  expect(Math.abs(now - world.clock.now())).toBeLessThan(DAY);
});

test('a Worker that dies while the clock moves is replaced by one that reads it', async () => {
  for (let times = 0; times < 3; times += 1) {
    world.clock.advance(10 * DAY);
    const read = world.worker.rereadClock();
    await Promise.all([read, world.worker.kill()]);
    expect(Math.abs((await workerTime()).now - world.clock.now())).toBeLessThan(DAY);
  }
});

test('the scheduled handler runs on request, on the same clock', async () => {
  await world.worker.runScheduled(world.clock.now());
  const [delivery] = world.inbox.deliveries();
  expect(Math.abs(Number(delivery?.body_text) - world.clock.now())).toBeLessThan(DAY);
});
