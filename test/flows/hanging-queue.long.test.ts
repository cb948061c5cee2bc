import { expect, test } from 'vitest';
import { pass } from '../support/people/bookings.ts';
import { tick } from '../support/people/calendars.ts';
import { callsEnded } from '../support/worlds/quiet.ts';
import { CONNECTIONS, mostAtOnce, unfinishedBookings } from '../support/worlds/unfinished.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

test('a tick whose call to the queue hangs finishes every booking, publishes nothing more, and the next one does', async () => {
  const meetings = await unfinishedBookings({ platforms: 3, each: 4 });
  const ids = `{${meetings.map(({ id }) => id).join()}}`;
  const found = async (query: string) => (await world.neon.query(query, [ids])).length;
  const hanging = world.faults.add({ target: 'qstash', mode: 'hang', times: 1 });
  world.latency.set({ google: 40 });
  world.traffic.clear();
  await tick();
  expect(hanging.hits()).toBe(1);
  expect(await found("select 1 from meetings where id = any($1::text[]) and status = 'scheduled'")).toBe(
    meetings.length,
  );
  await callsEnded();
  const calls = world.traffic.list();
  expect(calls.filter(({ target }) => target === 'qstash')).toHaveLength(1);
  expect(mostAtOnce(calls)).toBeLessThanOrEqual(CONNECTIONS);

  const undelivered = `select 1 from deliveries d join meetings m on m.platform_id = d.platform_id
    where m.id = any($1::text[]) and d.status = 'pending'`;
  expect(await found(undelivered)).toBeGreaterThan(0);
  await pass(61);
  expect(await found(undelivered)).toBe(0);
});
