import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { booking, newKey, scene } from '../support/people/operations.ts';
import { expectPeace, insist } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

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
