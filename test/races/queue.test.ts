import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { autoBooking, booking, newKey, scene } from '../support/people/operations.ts';
import { expectPeace, insist, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const attemptsOf = (ids: string[]) =>
  world.neon.query(
    'select coalesce(max(attempts), 0)::int as most, count(*)::int as written from deliveries where platform_id = any($1::text[])',
    [`{${ids.join(',')}}`],
  );

test.each([
  ['doubled', { duplicates: 2, deduplicate: false }],
  ['reordered', { reorder: true, duplicates: 1 }],
  ['lost', { loseNext: 40 }],
])('messages that are %s make no difference', async (_, knobs) => {
  const at = await scene({ people: 6 });
  await world.qstash.deliverDue();
  world.qstash.setKnobs(knobs);
  const pairs = [0, 2, 4].map((n) => at.people.slice(n, n + 2) as [(typeof at.people)[0], (typeof at.people)[0]]);
  const jobs = pairs.flatMap((people) => Array.from({ length: 4 }, () => autoBooking(at, { people })));
  const bookings = pairs.flatMap((people) => Array.from({ length: 4 }, () => booking(at, { people })));
  expect(tally(await together([...jobs, ...bookings]))).toEqual({ 200: 12, 202: 12 });
  await world.qstash.deliverDue();
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  await expectPeace({ platforms: [at.platform], wishes: [...jobs, ...bookings] });
  expect(await attemptsOf([at.platform.id])).toEqual([{ most: 1, written: 6 + 12 + 2 * 12 }]);
});

test('a receiver that fails at first gets each event in the end, or the log says it did not', async () => {
  const at = await scene();
  world.faults.add({ target: 'inbox', mode: 'after', times: 10 });
  world.faults.add({ target: 'inbox', mode: 'status', status: 503, times: 20 });
  const wishes = Array.from({ length: 30 }, () => booking(at));
  expect(tally(await together(wishes))).toEqual({ 200: 30 });
  await world.qstash.deliverDue();
  await expectPeace({ platforms: [at.platform], wishes });
});

/** Ends every other connection to Postgres, as a failover does. */
const tear = () =>
  world.neon.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

test('connections torn again and again under bookings end neither the stack nor a booking twice', async () => {
  const at = await scene();
  const wishes = Array.from({ length: 24 }, () => booking(at, { key: newKey() }));
  let isOver = false;
  const booked = Promise.all(wishes.map((wish) => wish.send())).finally(() => {
    isOver = true;
  });
  let torn = 0;
  while (!isOver) {
    torn += (await tear()).length;
    await pause(40);
  }
  await booked;
  expect(torn).toBeGreaterThan(10);
  expect(wishes.every(({ answers }) => answers.length === 1)).toBe(true);
  await world.advance(61_000);
  for (const wish of wishes) expect((await insist(wish)).status).toBe(200);
  await expectPeace({ platforms: [at.platform], wishes });
});
