import { expect, test } from 'vitest';
import { accepted, pair as freeDays } from '../support/auto.ts';
import { tick } from '../support/calendars.ts';
import { type Booked, booked, freshPair, GET_EVENT, type Pair } from '../support/meetings.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const MINUTE = 60_000;

/** Meetings of one pair whose events are to be looked at again, since so long. */
async function overdue(pair: Pair, count: number, sinceMs: number): Promise<Booked[]> {
  const made: Booked[] = [];
  for (let n = 0; n < count; n += 1) made.push(await booked({ pair }));
  const since = new Date(world.clock.now() - sinceMs).toISOString();
  for (const { id } of made)
    await world.neon.query(
      "insert into pending_operations (meeting_id, platform_id, kind, due_at, created_at) select id, platform_id, 'verify', $2, $2 from meetings where id = $1",
      [id, since],
    );
  return made;
}

const left = async (meetings: Booked[]) => {
  const ids = `{${meetings.map(({ id }) => id).join()}}`;
  const [row] = await world.neon.query(
    `select count(*)::int as left from pending_operations where meeting_id = any($1::text[]) and attempts = 0`,
    [ids],
  );
  return row?.left;
};

test('one tick works off all that is due, however much that is', async () => {
  const meetings = await overdue(await freshPair(), 45, MINUTE);
  await tick();
  expect(await left(meetings)).toBe(0);
});

test('a platform whose calls all fail slowly does not keep another waiting', async () => {
  const [bad, good] = [await freshPair(), await freshPair()];
  const stuck = await overdue(bad, 25, 10 * MINUTE);
  const healthy = await overdue(good, 3, MINUTE);
  for (const { eventId } of stuck)
    world.faults.add({ ...GET_EVENT, match: `${GET_EVENT.match}/${eventId}`, mode: 'hang' });
  world.traffic.clear();
  await tick();
  expect(await left(healthy)).toBe(0);
  const looked = world.traffic.list().filter(({ method, path }) => method === 'GET' && path.includes('/events/'));
  const firstFour = looked.slice(0, 4).map(({ path }) => path);
  expect(healthy.some(({ eventId }) => firstFour.some((path) => path.includes(eventId)))).toBe(true);
});

test('one item that fails leaves the others their turn', async () => {
  const meetings = await overdue(await freshPair(), 4, MINUTE);
  await world.neon.query('update pending_operations set intent = \'{"own_x": 1}\' where meeting_id = $1', [
    meetings[0]?.id,
  ]);
  await tick();
  expect(await left(meetings)).toBe(0);
  await world.neon.query('delete from pending_operations where meeting_id = $1', [meetings[0]?.id]);
});

test('a job that is due is asked for once, not at each tick, in a lane of its platform', async () => {
  const { platform, body } = await freeDays();
  world.qstash.setKnobs({ hold: true });
  world.qstash.forget();
  const lanes = new Set<string | null>();
  const askQueue = world.qstash.fetch;
  world.qstash.fetch = (request) => {
    if (request.url.endsWith('/internal/run-job')) lanes.add(request.headers.get('upstash-flow-control-key'));
    return askQueue(request);
  };
  const asked = () => world.qstash.pending().filter(({ url }) => url.endsWith('/internal/run-job'));
  for (let n = 0; n < 6; n += 1) await accepted(platform, body);
  await expect.poll(asked).toHaveLength(6);
  await world.advance(MINUTE);
  for (let ticks = 0; ticks < 4; ticks += 1) {
    await tick();
    await world.advance(MINUTE);
  }
  // Their own messages and, as those never came, the sweep's.
  expect(asked()).toHaveLength(12);
  expect([...lanes]).toEqual([`jobs.${platform.id}`]);
  world.qstash.fetch = askQueue;
  world.qstash.forget();
});
