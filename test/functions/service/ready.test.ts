import { describe, expect, test } from 'vitest';
import { areZonesOld, ZONES_RELEASE } from '../../../lib/engine/time/zone-table.ts';
import { flatRefusal } from '../../support/checks/errors.ts';
import { readByTick, searchable } from '../../support/people/calendars.ts';
import { bookable, seen } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const ask = (token: string | undefined = world.secrets.HEALTH_TOKEN) =>
  createClient(world.baseUrl, token).send('GET', '/health/ready');
const tick = () => world.worker.runScheduled(world.clock.now());

const RELEASE = { release: ZONES_RELEASE.name, released: ZONES_RELEASE.date, known_until: ZONES_RELEASE.knownUntil };
const UP = { database: 'up', redis: 'up', queue: 'up', tick: 'up' };

test.each([
  ['none', ''],
  ['another', 'x'.repeat(43)],
  ['the beginning of it', world.secrets.HEALTH_TOKEN.slice(0, -1)],
])('with %s for its token it tells nothing, and asks nobody', async (_name, token) => {
  world.traffic.clear();
  const answer = await ask(token);
  expect(seen(answer)).toEqual(
    flatRefusal(401, 'Unauthorized', {
      message:
        'This path requires the health token. Send the value of HEALTH_TOKEN in the header Authorization: Bearer.',
    }),
  );
  const called = world.traffic.list().filter(({ request_id }) => request_id === answer.headers.get('x-request-id'));
  // Wrong tokens count against the rate limit of the network.
  expect([...new Set(called.map(({ target }) => target))]).toEqual(['redis']);
});

test('with the token /health/ready says which services are up, and the age of the oldest unfinished work', async () => {
  await tick();
  const answer = await ask();
  expect(answer.status).toBe(200);
  // Suites that share these servers may have searched within the hour.
  const { total, live } = (answer.body as { searches: { total: number; live: number } }).searches;
  expect(answer.body).toEqual({
    status: 'ready',
    ...UP,
    last_tick_age_seconds: expect.any(Number),
    oldest_unfinished_booking_age_seconds: null,
    oldest_undelivered_event_age_seconds: null,
    searches: {
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/),
      total: expect.any(Number),
      live: expect.any(Number),
      live_share: total === 0 ? null : Math.round((live / total) * 1_000) / 1_000,
    },
    time_zones: { state: areZonesOld(world.clock.now()) ? 'old' : 'current', ...RELEASE },
    google_calls: { last_24_hours: expect.any(Number), daily_quota: 1_000_000 },
  });
});

describe('what is down', () => {
  test.each([
    ['neon', 'database', { oldest_unfinished_booking_age_seconds: null, last_tick_age_seconds: expect.any(Number) }],
    ['redis', 'redis', { searches: null, google_calls: null, last_tick_age_seconds: null, tick: 'down' }],
    ['qstash', 'queue', {}],
  ] as const)('%s makes it 503 and is named, in the answer and in the log', async (target, part, shown) => {
    await tick();
    world.faults.add({ target, mode: 'reset' });
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ ...UP, status: 'not_ready', [part]: 'down', ...shown });
    const id = answer.headers.get('x-request-id') ?? '';
    const lines = world
      .logs()
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'a part of the service does not answer', part }),
    );
    expect(lines.at(-1)).toMatchObject({ message: 'request', status: 503, code: 'not_ready' });
  });

  test('a queue that does not know the token is as good as none', async () => {
    await tick();
    world.faults.add({ target: 'qstash', match: 'GET /v2/keys', mode: 'status', status: 401 });
    expect((await ask()).body).toMatchObject({ ...UP, queue: 'down' });
  });

  test('a tick that has not ended for more than five minutes is down; its time outlives the Worker', async () => {
    await tick();
    await world.worker.kill();
    await world.advance(4 * 60_000);
    expect((await ask()).body).toMatchObject({ status: 'ready', tick: 'up' });
    await world.advance(2 * 60_000);
    const late = await ask();
    expect([late.status, late.body]).toEqual([503, expect.objectContaining({ ...UP, tick: 'down' })]);
    expect((late.body as { last_tick_age_seconds: number }).last_tick_age_seconds).toBeGreaterThanOrEqual(360);
    await tick();
    expect((await ask()).status).toBe(200);
  });
});

const ages = async () => {
  const { body } = await ask();
  const { oldest_unfinished_booking_age_seconds: booking, oldest_undelivered_event_age_seconds: event } =
    body as Record<string, number | null>;
  return { booking, event };
};

test('a booking whose calendar does not answer is unfinished until the tick has finished it', async () => {
  const { platform, body } = await bookable();
  world.faults.add({ target: 'google', match: 'POST /calendar/v3', mode: 'status', status: 503 });
  expect((await platform.api.schedule(body)).status).toBe(500);
  await world.advance(90_000);
  const { booking } = await ages();
  expect(booking).toBeGreaterThanOrEqual(90);
  expect(booking).toBeLessThan(200);
  world.faults.clear();
  await eventually(async () => {
    await world.advance(60_000);
    await tick();
    expect((await ages()).booking).toBeNull();
  });
});

test('a job and an event are unfinished until the queue hands them over', async () => {
  const { platform, ada, bob, body } = await bookable();
  await world.qstash.deliverDue();
  await eventually(async () => expect(await ages()).toEqual({ booking: null, event: null }));
  expect((await platform.api.schedule(body)).status).toBe(200);
  expect((await platform.api.send('POST', '/v1/schedule/auto', { attendees: [ada.email, bob.email] })).status).toBe(
    202,
  );
  await world.advance(30_000);
  const waiting = await ages();
  for (const age of [waiting.booking, waiting.event]) {
    expect(age).toBeGreaterThanOrEqual(30);
    expect(age).toBeLessThan(150);
  }
  await eventually(async () => {
    await world.qstash.deliverDue();
    expect(await ages()).toEqual({ booking: null, event: null });
  });
});

test('searches are counted by where their calendars came from; those that ask for a fresh look are not', async () => {
  const { platform, ada, bob, search } = await searchable();
  const counts = async () => {
    const { body } = await ask();
    const { total, live, live_share } = (body as { searches: Record<string, number> }).searches;
    return { total: Number(total), live: Number(live), live_share };
  };
  const before = await counts();
  await search();
  await readByTick(ada.email, bob.email);
  await search();
  await platform.api.send('POST', '/v1/availability?fresh=true', { attendees: [ada.email, bob.email] });
  await eventually(async () => {
    const now = await counts();
    expect(now).toMatchObject({ total: before.total + 2, live: before.live + 1 });
    expect(now.live_share).toBeCloseTo(now.live / now.total, 2);
  });
  await world.advance(3 * 3_600_000);
  expect(await counts()).toEqual({ total: 0, live: 0, live_share: null });
});

test('a search is answered though it cannot be counted, and the log says so', async () => {
  const { search } = await searchable();
  world.faults.add({ target: 'redis', body_match: 'vitals:', mode: 'reset' });
  const answer = await search();
  expect(answer.status).toBe(200);
  await eventually(async () =>
    expect(
      world.logs().some((line) => line.includes('a search was not counted') && line.includes('"level":"warn"')),
    ).toBe(true),
  );
});

test('the calls of Google in the last day are counted against the quota', async () => {
  const { platform, ada, bob } = await searchable();
  const counted = async () =>
    ((await ask()).body as { google_calls: { last_24_hours: number } }).google_calls.last_24_hours;
  await tick();
  const before = await counted();
  world.traffic.clear();
  await platform.api.availability({ attendees: [ada.email, bob.email], fresh: true });
  await tick();
  const calls = world.traffic.list().filter(({ target, path }) => target === 'google' && path.startsWith('/calendar/'));
  expect(calls.length).toBeGreaterThan(0);
  expect(await counted()).toBe(before + calls.length);
  await world.advance(26 * 3_600_000);
  await tick();
  expect(await counted()).toBeLessThan(before + calls.length);
});
