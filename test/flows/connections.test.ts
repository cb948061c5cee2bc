import { expect, test } from 'vitest';
import { tick } from '../support/people/calendars.ts';
import { CONNECTIONS, mostAtOnce, unfinishedBookings } from '../support/worlds/crash-points.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

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
