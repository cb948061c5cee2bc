import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fenceViolations } from '../support/checks/fences.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { booking, newKey, scene } from '../support/people/operations.ts';
import { arrived, drain, emitOne, hookOf } from '../support/people/webhooks.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Locks the rows of a query for `ms` milliseconds in a separate transaction, and resolves once they are released. */
function locked(query: string, ms: number): Promise<unknown> {
  return world.neon.query(`do $$ begin perform 1 from (${query}) locked; perform pg_sleep(${ms / 1_000}); end $$`);
}

const minute = async () => {
  await world.advance(60_000);
  await world.worker.runScheduled(world.clock.now());
};

test('an attempt whose writing outlasts its lease is written down whole or not at all', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).put({ timeout_seconds: 1 });
  await emitOne(platform);
  await drain(platform);

  const days = locked(`select 1 from delivery_days where platform_id = '${platform.id}' for update`, 3_000);
  await emitOne(platform);
  await expect.poll(() => world.qstash.pending().length).toBeGreaterThan(0);
  const attempts = [world.qstash.deliverDue()];
  await expect.poll(() => arrived(platform).length).toBe(2);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    await minute();
    attempts.push(world.qstash.deliverDue());
    await pause(200);
  }
  await Promise.all([days, ...attempts]);
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await minute();
    await world.qstash.deliverDue();
  }

  expect((await hookOf(platform).logs()).body).toMatchObject({
    deliveries: [
      { status: 'success', attempts: 1 },
      { status: 'success', attempts: 1 },
    ],
    stats: { total_sent: 2 },
  });
  expect(arrived(platform)).toHaveLength(2);
});

test('a booking whose outcome is not known is handed over under its lease', async () => {
  const wish = booking(await scene(), { key: newKey() });
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'after' });
  expect((await wish.send())?.status).toBe(500);
  expect(fenceViolations()).toEqual([]);
});
