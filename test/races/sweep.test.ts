import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { meetingsOf } from '../support/checks/rows.ts';
import { eventually } from '../support/eventually.ts';
import { booking, newKey, type Request, type Scene, scene } from '../support/operations.ts';
import { expectPeace, insist, together } from '../support/race.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const LOOK = { target: 'google', match: 'GET /calendar/v3/calendars' } as const;
const WIDTH = 12;

/** Bookings under way, their events asked for and their leases run out, with a sweep beside them. */
async function overtaken(at: Scene): Promise<Request[]> {
  const wishes = Array.from({ length: WIDTH }, (_, n) => booking(at, { key: newKey(), requireFree: n % 3 === 0 }));
  const before = inserts().length;
  const writing = together(wishes);
  while (inserts().length < before + WIDTH) await pause(5);
  await world.advance(61_000);
  await Promise.all([world.worker.runScheduled(world.clock.now()), writing]);
  return wishes;
}

const inserts = () =>
  world.traffic.list().filter(({ method, path }) => method === 'POST' && path.startsWith('/calendar/v3/calendars'));

test('a writer that comes back while the sweep looks leaves the meeting to the sweep', async () => {
  const at = await scene();
  world.faults.add({ ...INSERT, mode: 'delay', delay_ms: 400 });
  world.faults.add({ ...LOOK, mode: 'delay', delay_ms: 1_500 });
  const wishes = await overtaken(at);
  await expectPeace({ platforms: [at.platform], wishes });
  for (const wish of wishes) expect((await insist(wish)).status).toBe(200);
  expect((await meetingsOf([at.platform])).map(({ status }) => status)).toEqual(Array(WIDTH).fill('scheduled'));
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back after the sweep gave up leaves no event and no meeting', async () => {
  const at = await scene();
  world.faults.add({ ...INSERT, mode: 'delay', delay_ms: 1_200 });
  const wishes = await overtaken(at);
  await expectPeace({ platforms: [at.platform], wishes });
  expect((await meetingsOf([at.platform])).map(({ status }) => status)).toEqual(Array(WIDTH).fill('failed'));
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back between the sweep’s look and its decision changes nothing', async () => {
  const at = await scene();
  world.faults.add({ ...INSERT, mode: 'delay', delay_ms: 500 });
  world.faults.add({
    target: 'neon',
    body_match: 'update \\\\"meetings\\\\" set \\\\"status\\\\".*"failed"',
    mode: 'delay',
    delay_ms: 1_500,
    times: WIDTH,
  });
  const wishes = await overtaken(at);
  // The sweep has three of one platform in hand at a time; the other writers come back before their turn.
  expect(world.faults.list().map(({ hits }) => hits)).toEqual([WIDTH, 3]);
  await expectPeace({ platforms: [at.platform], wishes });
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a call whose sender died reaches the calendar after the sweep gave up, and its event goes again', async () => {
  const at = await scene();
  const [ada] = at.people;
  const held = world.faults.add({ ...INSERT, mode: 'hold', times: 1 });
  const wish = booking(at, { key: newKey() });
  const writing = wish.send();
  await eventually(() => expect(held.hits()).toBe(1));
  await world.worker.kill();
  expect(await writing).toBeUndefined();
  await world.advance(61_000);
  await world.worker.runScheduled(world.clock.now());
  const [given] = await meetingsOf([at.platform]);
  expect(given?.status).toBe('failed');
  held.release();
  const late = () => world.google.events(ada?.email ?? '').find(({ id }) => id === given?.provider_event_id)?.status;
  await eventually(() => expect(late()).toBe('confirmed'));
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
  expect(late()).toBe('cancelled');
});

test('two sweeps and the clients themselves reconcile each booking once', async () => {
  const at = await scene();
  const wishes = Array.from({ length: WIDTH }, () => booking(at, { key: newKey() }));
  world.faults.add({ ...INSERT, mode: 'kill_after', times: 1 });
  await together(wishes);
  await world.worker.ready();
  await world.advance(61_000);
  world.latency.set({ google: 50 });
  const sweeps = Array.from({ length: 4 }, () => world.worker.runScheduled(world.clock.now()));
  await Promise.all([...sweeps, ...wishes.map(insist), ...wishes.map(insist)]);
  await expectPeace({ platforms: [at.platform], wishes });
});
