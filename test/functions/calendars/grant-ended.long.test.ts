import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import {
  codeOf,
  connectedTwice,
  eventsOf,
  grantOf,
  instant,
  loseGrant,
  NO_GRANT,
  providerIdOf,
  readByTick,
  searchable,
  snapshotOf,
  tick,
  times,
  useByTick,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { seen } from '../../support/people/meetings.ts';
import { eventually, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const FAILED = 'user.calendar.refresh_failed';

async function expectDisconnected(platform: TestPlatform, email: string, reason: string) {
  const [event] = await eventsOf(platform, DISCONNECTED);
  expect(event?.body.data).toEqual({
    user_email: email,
    provider_id: providerIdOf(email),
    disconnected_at: instant,
    reason,
  });
}

describe('a refusal that comes late', () => {
  /** Starts a read of Ada's calendar. Its token refresh is held and will be refused once it is released. */
  async function lateRefusal() {
    const all = await searchable();
    await loseGrant(all);
    const held = hold({ target: 'google', match: 'POST /token', times: 1 });
    const read = () => all.platform.api.send('GET', `/v1/users/${all.ada.email}/availability`);
    const late = read();
    await met(held);
    return { ...all, read, late, release: held.release };
  }

  test('does not end the grant that was given since', async () => {
    const { platform, ada, late, release, search } = await lateRefusal();
    await world.connectCalendar(platform, ada.email);
    release();
    await late;
    expect(await writtenEvents(platform, FAILED)).toBe(0);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true });
    expect((await search()).status).toBe(200);
  });

  test('sends no second event when another request has refreshed meanwhile', async () => {
    const { both, read, late, release } = await lateRefusal();
    await world.advance(16_000);
    expect((await read()).status).toBe(404);
    release();
    expect((await late).status).toBe(404);
    for (const one of both) await eventsOf(one, FAILED);
  });
});

describe('a grant that needs a new consent for seven days', () => {
  test('ends the connections, once', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(7 * DAY - 60_000);
    await tick();
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'needs_reauthorization' });
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    await world.advance(120_000);
    await Promise.all([tick(), tick(), tick()]);
    for (const one of all.both) {
      await expectDisconnected(one, all.ada.email, 'token_expired');
      expect((await one.api.status(all.ada.email)).body).toMatchObject({ calendar_connected: false });
    }
    await tick();
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
    expect(codeOf(await all.search())).toBe('user_not_found');
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(1);
  });

  test('counts from the last consent', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(6 * DAY);
    await world.connectCalendar(all.platform, all.ada.email);
    await world.advance(2 * DAY);
    await tick();
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
  });

  test('is not ended by a sweep that a new consent overtakes', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(7 * DAY + 60_000);
    const held = hold({ target: 'neon', body_match: 'insert into revocations', times: 1 });
    const sweep = tick();
    await met(held);
    await world.connectCalendar(all.platform, all.ada.email);
    held.release();
    await sweep;
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    expect((await all.search()).status).toBe(200);
  });
});

describe('access that is revoked before the token expires', () => {
  test('ends the connections with all platforms, however many requests race', async () => {
    const all = await searchable();
    world.google.revoke(all.ada.email);
    const answers = await times(20, (i) => all.search(i % 2 ? all.platform : all.other));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404));
    for (const one of all.both) {
      await expectDisconnected(one, all.ada.email, 'revoked');
      expect(await writtenEvents(one, FAILED)).toBe(0);
      expect((await one.api.calendars()).body).toMatchObject({ count: 1 });
    }
    const later = await all.search();
    expect(later.body).toMatchObject({ error: { code: 'user_not_found', email: all.ada.email } });
  });

  test('a refused token is refreshed when the grant still stands', async () => {
    const all = await searchable();
    world.google.expireAccessTokens(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'connected' });
  });
});

// These tests send no requests about the connection. The background reads of the calendar must notice its end.

type Twice = Awaited<ReturnType<typeof connectedTwice>>;

const lastSync = async ({ platform, ada }: Twice) =>
  ((await platform.api.status(ada.email)).body as { last_sync: string | null }).last_sync;

/** Counts the events of either type that told each platform that the grant had ended. */
const told = ({ platform, other }: Twice) =>
  Promise.all([platform, other].flatMap((one) => [writtenEvents(one, FAILED), writtenEvents(one, DISCONNECTED)]));

/** Runs a tick every five minutes. Before each, somebody asks for Ada's calendar, so it is read. */
async function ticks({ ada }: Twice, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await world.advance(5 * MINUTE);
    await useByTick(ada.email);
    await world.google.settled();
  }
}

test('a grant that ran out is found by the sweep: every platform is told once, and the calendar is not asked again', async () => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  world.google.revoke(ada.ada.email);
  await world.advance(2 * HOUR);
  await useByTick(ada.ada.email);
  await eventually(async () => expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'needs_reauthorization' }));
  world.traffic.clear();
  await ticks(ada, 4);
  expect(await told(ada)).toEqual([1, 0, 1, 0]);
  expect(world.traffic.list().filter(({ target }) => target === 'google')).toEqual([]);
});

test('the sweep finds revoked access, and every platform gets one event about it', async () => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  world.google.revoke(ada.ada.email);
  await world.advance(MINUTE);
  await useByTick(ada.ada.email);
  await eventually(async () => expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'disconnected' }));
  await ticks(ada, 4);
  expect(await told(ada)).toEqual([0, 1, 0, 1]);
  const [event] = await eventsOf(ada.platform, DISCONNECTED);
  expect(event?.body.data).toMatchObject({ reason: 'revoked' });
  expect(await snapshotOf(ada.ada.email)).toBeUndefined();
  expect(await lastSync(ada)).toBeNull();
});

test.each([
  ['answers 503', { mode: 'status', status: 503 }],
  ['breaks every connection', { mode: 'reset' }],
] as const)('a provider that %s for an hour changes nothing, and tells nobody anything', async (_how, fault) => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  const before = await lastSync(ada);
  // The access token expires in the meantime.
  await world.advance(50 * MINUTE);
  const down = world.faults.add({ target: 'google', ...fault });
  await ticks(ada, 12);
  expect(down.hits()).toBeGreaterThan(3);
  expect(await told(ada)).toEqual([0, 0, 0, 0]);
  expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'connected', refresh: true });
  expect(await lastSync(ada)).toBe(before);
  world.faults.clear();
  await world.advance(16 * MINUTE);
  await readByTick(ada.ada.email);
  expect(await told(ada)).toEqual([0, 0, 0, 0]);
  expect(Date.parse((await lastSync(ada)) ?? '')).toBeGreaterThan(world.clock.now() - MINUTE);
  await tick();
});

const CONNECTED = 'user.calendar.connected';

describe('a token refresh that Google refuses for good', () => {
  test('asks for a new consent and sends every platform an event with its own link', async () => {
    const all = await searchable();
    const { platform, ada, bob, search } = all;
    const stranger = await freshPlatform();
    await connectedPerson(stranger);
    await loseGrant(all);
    const answer = await search();
    expect(seen(answer)).toEqual(
      refusal(404, 'calendar_reconnect_required', {
        message: `${ada.email} must connect their calendar again, because access to it was revoked or has expired. Send them the link from GET /v1/platform/oauth-url.`,
        field: 'attendees',
        email: ada.email,
      }),
    );
    for (const one of all.both) {
      const [event] = await eventsOf(one, FAILED);
      const link = new URL('/v1/auth/calendar/authorize', world.baseUrl);
      link.search = new URLSearchParams({ platform_key: one.publishable_key, user_email: ada.email }).toString();
      expect(event?.body.data).toEqual({
        user_email: ada.email,
        provider_id: providerIdOf(ada.email),
        failed_at: event?.body.timestamp,
        reason: 'user_revoked_or_expired',
        action: 'reauthorization_required',
        possible_causes: expect.arrayContaining([expect.stringContaining('removed access')]),
        oauth_url: link.href,
        suggested_user_message: expect.stringContaining('connect your calendar again'),
      });
      const opened = await fetch(event?.body.data.oauth_url, { redirect: 'manual' });
      expect(opened.status).toBe(200);
      expect(await opened.text()).toContain(ada.email);
    }
    expect(await writtenEvents(stranger, FAILED)).toBe(0);
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);

    const { connections } = (await platform.api.calendars()).body as { connections: unknown[] };
    expect(connections).toEqual([
      expect.objectContaining({ user_email: ada.email, status: 'needs_reauthorization' }),
      expect.objectContaining({ user_email: bob.email, status: 'connected' }),
    ]);
    expect((await platform.api.status(ada.email)).body).toMatchObject({ calendar_connected: false });
  });

  test('sends one event to each platform, however many requests race', async () => {
    const all = await searchable();
    await loseGrant(all);
    world.traffic.clear();
    const answers = await times(20, (i) => all.search(i % 2 ? all.platform : all.other));
    expect(answers.map(codeOf)).toEqual(Array(20).fill('calendar_reconnect_required'));
    for (const one of all.both) await eventsOf(one, FAILED);
    // One refresh for Ada and one for Bob.
    expect(world.traffic.list().filter(({ path }) => path === '/token')).toHaveLength(2);
    expect((await all.search()).status).toBe(404);
    expect(await writtenEvents(all.platform, FAILED)).toBe(1);
  });

  test('a new consent restores access, and a second loss sends a second event', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.connectCalendar(all.platform, all.ada.email);
    expect((await all.search()).status).toBe(200);
    for (const one of all.both)
      expect(await writtenEvents(one, CONNECTED)).toBeGreaterThan(await writtenEvents(one, FAILED));
    await loseGrant(all);
    expect((await all.search()).status).toBe(404);
    for (const one of all.both) await eventsOf(one, FAILED, 2);
  });

  test('a sign-in to the person’s own page restores access too, and sends an event only then', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    const heard = await writtenEvents(all.other, CONNECTED);
    await world.signIn(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.other, CONNECTED)).toBe(heard + 1);
    await world.signIn(all.ada.email);
    expect(await writtenEvents(all.other, CONNECTED)).toBe(heard + 1);
  });

  test('a person who must consent again can be disconnected', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    expect((await all.platform.api.disconnect(all.ada.email)).status).toBe(200);
    for (const one of all.both) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data.reason).toBe('user_requested');
    }
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
    expect(codeOf(await all.search())).toBe('user_not_found');
  });

  test.each(['kill', 'kill_after', 'reset', 'after'] as const)(
    'sends one event when its batch meets %s',
    async (mode) => {
      const all = await searchable();
      await loseGrant(all);
      world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'refresh_failed', mode, times: 1 });
      await all.search().catch(() => undefined);
      await world.worker.ready();
      await world.advance(20_000);
      await tick();
      expect(codeOf(await all.search())).toBe('calendar_reconnect_required');
      await tick();
      for (const one of all.both) await eventsOf(one, FAILED);
    },
  );
});

test.each([
  ['500', { mode: 'status', status: 500 }],
  ['429', { mode: 'status', status: 429 }],
  ['400 without a reason', { mode: 'status', status: 400, body: '<html>' }],
  ['401 invalid_client', { mode: 'status', status: 401, body: { error: 'invalid_client' } }],
  ['a broken connection', { mode: 'reset' }],
  ['a lost answer', { mode: 'after' }],
] as const)('a refresh that fails in a way that may pass changes nothing: %s', async (_name, fault) => {
  const all = await searchable();
  await world.advance(2 * HOUR);
  world.faults.add({ target: 'google', match: 'POST /token', ...fault });
  const answer = await all.search();
  expect(answer.status).toBe(500);
  expect(codeOf(answer)).toBe('calendar_unavailable');
  world.faults.clear();
  expect(await grantOf(all.ada.email)).toMatchObject({ status: 'connected', refresh: true });
  expect((await all.search()).status).toBe(200);
  expect(await writtenEvents(all.platform, FAILED)).toBe(0);
});
