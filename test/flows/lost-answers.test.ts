import { expect, test } from 'vitest';
import { booking, newKey, scene } from '../support/people/operations.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;

test('an event whose answer was lost is found by the next try, not made twice', async () => {
  const at = await scene();
  const wish = booking(at);
  world.faults.add({ ...INSERT, mode: 'after', times: 2 });
  expect((await wish.send())?.status).toBe(200);
  expect(world.faults.list().map(({ hits }) => hits)).toEqual([2]);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});

test('an event whose answer was lost is not forgotten when the next try ends at the token', async () => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  world.faults.add({ ...INSERT, mode: 'after', times: 1 });
  world.faults.add({ ...INSERT, mode: 'status', status: 401, times: 1 });
  world.faults.add({ target: 'google', match: 'POST /token', mode: 'status', status: 503 });
  expect((await wish.send())?.status).toBe(500);
  expect(world.faults.list().map(({ hits }) => hits > 0)).toEqual([true, true, true]);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});
