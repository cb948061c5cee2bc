import { expect, test } from 'vitest';
import { tick } from '../support/calendars.ts';
import { booked, freshPair } from '../support/meetings.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

/** A Worker may have six open. */
const CONNECTIONS = 6;

/** The most calls that were open at one time. */
function mostAtOnce(calls: { start: number; end: number | null }[]): number {
  return Math.max(
    0,
    ...calls.map(({ start: at }) => calls.filter(({ start, end }) => start <= at && (end ?? at) >= at).length),
  );
}

test('a tick that finishes many bookings, and tells of each, keeps within its connections', async () => {
  const eventIds: string[] = [];
  const pairs = [await freshPair(), await freshPair(), await freshPair()];
  for (const pair of pairs)
    for (let n = 0; n < 4; n += 1) {
      const { id, eventId } = await booked({ pair });
      eventIds.push(eventId);
      await world.neon.query(
        `with booking as (update meetings set status = 'pending', owner = 'own_dead', lease_until = updated_at where id = $1 returning *),
        unconfirmed as (update usage u set confirmed = confirmed - 1 from booking where u.platform_id = booking.platform_id and u.month = booking.usage_month)
        insert into pending_operations (meeting_id, platform_id, kind, intent, due_at, created_at)
        select id, platform_id, 'book', '{"kind":"book"}', updated_at, updated_at from booking`,
        [id],
      );
    }
  await world.advance(61_000);
  world.latency.set({ google: 40, neon: 5, qstash: 200 });
  world.traffic.clear();
  await tick();
  const calls = () => world.traffic.list();
  const looked = calls().filter(({ path }) => eventIds.some((id) => path.includes(id)));
  expect(looked.length).toBeGreaterThanOrEqual(eventIds.length);
  const requests = [...new Set(looked.map(({ request_id }) => request_id))];
  const of = (request: string | null) => calls().filter(({ request_id }) => request_id === request);
  const told = (request: string | null) => of(request).filter(({ target }) => target === 'qstash');
  // What is told goes out after the work.
  await expect.poll(() => requests.flatMap(told).length).toBeGreaterThan(0);
  for (const request of requests) {
    expect(mostAtOnce(told(request))).toBeLessThanOrEqual(1);
    expect(mostAtOnce(of(request))).toBeLessThanOrEqual(CONNECTIONS);
  }
});
