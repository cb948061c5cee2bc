import { expect, test } from 'vitest';
import { tick } from '../support/people/calendars.ts';
import { CONNECTIONS, mostAtOnce, unfinishedBookings } from '../support/people/meetings.ts';
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

test('a tick that finishes many bookings, and tells of each, keeps within its connections', async () => {
  const meetings = await unfinishedBookings({ platforms: 3, each: 4 });
  world.latency.set({ google: 40, neon: 5, qstash: 200 });
  world.traffic.clear();
  await tick();
  const calls = () => world.traffic.list();
  const looked = calls().filter(({ path }) => meetings.some(({ eventId }) => path.includes(eventId)));
  expect(looked.length).toBeGreaterThanOrEqual(meetings.length);
  const requests = [...new Set(looked.map(({ request_id }) => request_id))];
  const of = (request: string | null) => calls().filter(({ request_id }) => request_id === request);
  const told = (request: string | null) => of(request).filter(({ target }) => target === 'qstash');
  // Webhooks go to the queue only after the work is done.
  await expect.poll(() => requests.flatMap(told).length).toBeGreaterThan(0);
  for (const request of requests) {
    expect(mostAtOnce(told(request))).toBeLessThanOrEqual(1);
    expect(mostAtOnce(of(request))).toBeLessThanOrEqual(CONNECTIONS);
  }
});
