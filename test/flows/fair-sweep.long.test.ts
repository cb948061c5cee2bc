import { expect, test } from 'vitest';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { accepted, pair as freeDays } from '../support/people/batches.ts';
import { tick } from '../support/people/calendars.ts';
import {
  type Booked,
  booked,
  CONNECTIONS,
  DELETE_EVENT,
  freshPair,
  GET_EVENT,
  mostAtOnce,
  type Pair,
  pass,
  unfinishedBookings,
} from '../support/people/meetings.ts';
import { made, readProposal } from '../support/people/proposing.ts';
import { callsEnded } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Books meetings of one pair whose events have been due for verification for `sinceMs`. */
async function overdue(pair: Pair, count: number, sinceMs: number): Promise<Booked[]> {
  const made: Booked[] = [];
  for (let n = 0; n < count; n += 1) made.push(await booked({ pair }));
  const since = new Date(world.clock.now() - sinceMs).toISOString();
  for (const { id } of made)
    await world.neon.query(
      "insert into pending_operations (event_id, platform_id, kind, due_at, created_at) select provider_event_id, platform_id, 'verify', $2, $2 from meetings where id = $1",
      [id, since],
    );
  return made;
}

const left = async (meetings: Booked[]) => {
  const ids = `{${meetings.map(({ id }) => id).join()}}`;
  const [row] = await world.neon.query(
    `select count(*)::int as left from pending_operations where event_id in (select provider_event_id from meetings where id = any($1::text[])) and attempts = 0`,
    [ids],
  );
  return row?.left;
};

test('one tick does all due work, however much there is', async () => {
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

async function declined({ platform }: Pair, meetings: Booked[], sinceMs: number): Promise<void> {
  await platform.api.send('PUT', '/v1/platform/settings', { on_decline: 'cancel' });
  const since = new Date(world.clock.now() - sinceMs).toISOString();
  for (const { id } of meetings)
    await world.neon.query(
      `insert into event_answers (event_id, user_id, platform_id, response_status, responded_at, untold, decline_due_at)
      select m.provider_event_id, p.user_id, m.platform_id, 'declined', $2, true, $2
      from meetings m join meeting_people p on p.meeting_id = m.id and p.position = 1 where m.id = $1`,
      [id, since],
    );
}

const statusesOf = async (meetings: Booked[]) => {
  const ids = `{${meetings.map(({ id }) => id).join()}}`;
  const rows = await world.neon.query('select distinct status from meetings where id = any($1::text[])', [ids]);
  return rows.map(({ status }) => status);
};

test('a decline is dealt with in the first tick, though another platform’s verifications and declines all hang', async () => {
  const [bad, good] = [await freshPair(), await freshPair()];
  const stuck = await overdue(bad, 40, 10 * MINUTE);
  const refused = [await booked({ pair: bad }), await booked({ pair: bad }), await booked({ pair: bad })];
  await declined(bad, refused, 10 * MINUTE);
  const healthy = [await booked({ pair: good })];
  await declined(good, healthy, MINUTE);
  for (const { eventId } of stuck)
    world.faults.add({ ...GET_EVENT, match: `${GET_EVENT.match}/${eventId}`, mode: 'hang' });
  for (const { eventId } of refused)
    world.faults.add({ ...DELETE_EVENT, match: `${DELETE_EVENT.match}/${eventId}`, mode: 'hang' });
  await tick();
  expect(await statusesOf(healthy)).toEqual(['cancelled']);
  expect(await statusesOf(refused)).toEqual(['scheduled']);
});

test('an expired proposal is booked in the first tick, however many of another platform’s declines are due', async () => {
  const bad = await freshPair();
  const many: Booked[] = [];
  while (many.length < 10) many.push(await booked({ pair: bad }));
  const { platform, id, proposal } = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
  await world.advance(Date.parse(proposal.expires_at) - world.clock.now());
  await declined(bad, many, MINUTE);
  for (const { eventId } of many)
    world.faults.add({ ...DELETE_EVENT, match: `${DELETE_EVENT.match}/${eventId}`, mode: 'hang' });
  await tick();
  expect((await readProposal(platform, id)).status).toBe('accepted');
  expect(await statusesOf(many)).toEqual(['scheduled']);
});

test('a failed item does not delay the other items', async () => {
  const meetings = await overdue(await freshPair(), 4, MINUTE);
  await world.neon.query(
    'update pending_operations set intent = \'{"own_x": 1}\' where event_id = (select provider_event_id from meetings where id = $1)',
    [meetings[0]?.id],
  );
  await tick();
  expect(await left(meetings)).toBe(0);
  await world.neon.query(
    'delete from pending_operations where event_id = (select provider_event_id from meetings where id = $1)',
    [meetings[0]?.id],
  );
});

test('a job that is due is asked for once, not at each tick, in the lane of its requester', async () => {
  const { platform, body } = await freeDays();
  world.qstash.setKnobs({ hold: true });
  world.qstash.forget();
  const lanes = new Set<string>();
  const askQueue = world.qstash.fetch;
  world.qstash.fetch = (request) => {
    const { headers, url } = request;
    if (url.endsWith('/internal/run-job'))
      lanes.add(`${headers.get('upstash-flow-control-key')} ${headers.get('upstash-flow-control-value')}`);
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
  // Each job has its own message and one from the sweep, because the first messages never arrived.
  expect(asked()).toHaveLength(12);
  expect([...lanes]).toEqual([expect.stringMatching(new RegExp(`^jobs\\.${platform.id}\\.[0-2] parallelism=1$`))]);
  world.qstash.fetch = askQueue;
  world.qstash.forget();
});

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
