import { describe, expect, test } from 'vitest';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { bookable, liveEvents, pass, useQuota } from '../../support/people/meetings.ts';
import { dying } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const isReplay = (answer: { headers: Headers }) => answer.headers.get('idempotent-replayed') === 'true';
const keyRows = (key: string) =>
  world.neon.query('select state, status from idempotency_keys where key = $1 order by state', [key]);

describe('what is kept under a key', () => {
  test('no 404: once its cause is gone the same key goes on', async () => {
    const { platform, ada, body } = await bookable();
    const stranger = freshPerson();
    const unknown = { ...body, attendees: [ada.email, stranger.email] };
    expect((await platform.api.schedule(unknown, keyed('not-yet'))).status).toBe(404);
    expect(await keyRows('not-yet')).toEqual([]);
    await world.connectCalendar(platform, stranger.email);
    const made = await platform.api.schedule(unknown, keyed('not-yet'));
    expect([made.status, isReplay(made)]).toEqual([200, false]);
  });

  test('no 400, no 401, no 403, no 429, and no calendar that refuses', async () => {
    const { platform, body, ada } = await bookable({ plan: 'developer' });
    const key = keyed('not-kept');
    expect((await platform.api.schedule({ ...body, title: '' }, key)).status).toBe(400);
    const bad = await platform.api.schedule(body, { headers: { ...key.headers, authorization: 'Bearer sk_live_x' } });
    expect(bad.status).toBe(401);
    await useQuota(platform, 25);
    expect((await platform.api.schedule(body, key)).status).toBe(429);
    await world.neon.query('delete from usage where platform_id = $1', [platform.id]);
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'status', status: 400 });
    expect((await platform.api.schedule(body, key)).status).toBe(409);
    world.faults.clear();
    expect(await keyRows('not-kept')).toEqual([]);
    const made = await platform.api.schedule(body, key);
    expect([made.status, isReplay(made)]).toEqual([200, false]);
    expect(liveEvents(ada.email)).toHaveLength(1);
  });

  test('ends after 24 hours: the key is free again, and the minute forgets it', async () => {
    const { platform, body, ada } = await bookable();
    await platform.api.schedule(body, keyed('day'));
    // The Worker still stores the answer in Redis. Stored after the jump, it would stay for another day.
    await world.pause(1_000);
    await world.advance(24 * 3_600_000);
    const fresh = await platform.api.schedule(body, keyed('day'));
    expect([fresh.status, isReplay(fresh)]).toEqual([200, false]);
    expect(liveEvents(ada.email)).toHaveLength(2);
    await pass(25 * 3_600);
    expect(await keyRows('day')).toEqual([]);
  });

  test('a key of 256 characters, an empty one and one with a tab are 400', async () => {
    const { platform, body } = await bookable();
    for (const key of ['k'.repeat(256), '""', 'a\tb']) {
      const answer = await platform.api.schedule(body, keyed(key));
      expect([key.length, answer.status]).toEqual([key.length, 400]);
      expect(answer.body).toMatchObject({ error: { field: 'Idempotency-Key' } });
    }
  });
});

describe('Redis answers, Postgres decides', () => {
  test('a replay is the same with Redis hanging or wrong, and with the key in quotes', async () => {
    const { platform, body, ada } = await bookable();
    const first = await platform.api.schedule(body, keyed('store'));
    for (const fault of [
      { mode: 'hang' },
      { mode: 'status', status: 200, body: { result: 'bm90IGpzb24=' } },
    ] as const) {
      world.faults.add({ target: 'redis', ...fault });
      const again = await platform.api.schedule(body, keyed('"store"'));
      world.faults.clear();
      expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, true]);
    }
    expect(liveEvents(ada.email)).toHaveLength(1);
  });

  test('a kept answer needs no look into Postgres', async () => {
    const { platform, body } = await bookable();
    await platform.api.schedule(body, keyed('kept'));
    world.traffic.clear();
    await platform.api.schedule(body, keyed('kept'));
    const calls = world.traffic.list().map(({ target }) => target);
    // One query checks the API key. The other is the claim that finds the idempotency key taken.
    expect(calls.filter((target) => target === 'neon')).toHaveLength(2);
    expect(calls).not.toContain('google');
  });
});

describe('a first request that died', () => {
  test.each(['kill', 'kill_after'] as const)(
    'at the calendar (%s): its retry gets one answer and one event',
    async (mode) => {
      const { platform, body, ada } = await bookable();
      const call = { target: 'google', match: 'POST /calendar/v3/calendars', mode } as const;
      await dying(call, () => platform.api.schedule(body, keyed(mode)));
      const early = await platform.api.schedule(body, keyed(mode));
      expect(early.status).toBe(409);
      expect(early.body).toMatchObject({ error: { code: 'idempotency_in_progress' } });
      const wait = Number(early.headers.get('retry-after'));
      const [held] = await world.neon.query(
        'select extract(epoch from lease_until)::float8 as until from meetings where platform_id = $1',
        [platform.id],
      );
      expect(wait).toBeGreaterThanOrEqual(Math.floor(Number(held?.until) - world.clock.now() / 1_000));
      expect(wait).toBeLessThanOrEqual(60);
      await world.advance(wait * 1_000);
      const late = await platform.api.schedule(body, keyed(mode));
      expect(late.status).toBe(200);
      expect(isReplay(late)).toBe(mode === 'kill_after');
      expect((await platform.api.schedule(body, keyed(mode))).text).toBe(late.text);
      expect(liveEvents(ada.email)).toHaveLength(1);
    },
  );

  test('whose outcome is unknown, its retry takes it over at once', async () => {
    const { platform, body, ada } = await bookable();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'after' });
    expect((await platform.api.schedule(body, keyed('unknown'))).status).toBe(500);
    world.faults.clear();
    const retry = await platform.api.schedule(body, keyed('unknown'));
    expect([retry.status, isReplay(retry)]).toEqual([200, true]);
    expect(liveEvents(ada.email)).toHaveLength(1);
  });
});

test('a platform without a key row of its own cannot read another’s', async () => {
  const { platform, body } = await bookable();
  await platform.api.schedule(body, keyed('secret'));
  const other = await freshPlatform();
  const answer = await other.api.schedule(body, keyed('secret'));
  expect(answer.status).toBe(404);
});
