import { describe, expect, test, vi } from 'vitest';
import { createBrowser } from '../local/browser.ts';
import { eventsOf, grantOf, NO_GRANT, providerIdOf, tick, writtenEvents } from '../support/calendars.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/factories.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const FAILED = 'user.calendar.refresh_failed';
const DISCONNECTED = 'user.calendar.disconnected';
const CONNECTED = 'user.calendar.connected';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Ada is connected with two platforms, Bob with the first; both are searched there. */
async function three() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  for (const { email } of [ada, bob]) await world.connectCalendar(other, email);
  const search = (by: TestPlatform = platform) => by.api.availability({ attendees: [ada.email, bob.email] });
  return { platform, other, both: [platform, other], ada, bob, search };
}

type Three = Awaited<ReturnType<typeof three>>;

/** Ada removes the app and her access token has run out by the clock. */
async function outage({ ada }: Three) {
  await world.advance(2 * HOUR);
  world.google.revoke(ada.email);
}

const codeOf = (answer: { body: unknown }) => (answer.body as { error?: { code?: string } }).error?.code;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a refresh the provider refuses for good', () => {
  test('asks for a new consent and tells every platform of the person, each with its own link', async () => {
    const all = await three();
    const { platform, ada, bob, search } = all;
    const stranger = await freshPlatform();
    await connectedPerson(stranger);
    await outage(all);
    const answer = await search();
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: {
        code: 'calendar_reconnect_required',
        message: `${ada.email} must connect their calendar again: the grant has ended.`,
        field: 'attendees',
      },
    });
    for (const one of all.both) {
      const [event] = await eventsOf(one, FAILED);
      const link = new URL('/v1/auth/calendar/authorize', world.baseUrl);
      link.search = new URLSearchParams({ platform_key: one.publishable_key, user_email: ada.email }).toString();
      expect(event?.body).toEqual({
        id: expect.stringMatching(/^wh_[A-Za-z0-9]{20}$/),
        event_type: FAILED,
        timestamp: instant,
        platform_id: one.id,
        api_version: 'v1',
        data: {
          user_email: ada.email,
          provider_id: providerIdOf(ada.email),
          failed_at: event?.body.timestamp,
          reason: 'user_revoked_or_expired',
          action: 'reauthorization_required',
          possible_causes: expect.arrayContaining([expect.stringContaining('removed access')]),
          oauth_url: link.href,
          suggested_user_message: expect.stringContaining('connect your calendar again'),
        },
      });
      const opened = await fetch(event?.body.data.oauth_url, { redirect: 'manual' });
      expect(opened.status).toBe(302);
      expect(new URL(opened.headers.get('location') ?? '').searchParams.get('login_hint')).toBe(ada.email);
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

  test('is told once, however many requests of both platforms race', async () => {
    const all = await three();
    await outage(all);
    world.traffic.clear();
    const answers = await times(20, (i) => all.search(i % 2 ? all.platform : all.other));
    expect(answers.map(codeOf)).toEqual(Array(20).fill('calendar_reconnect_required'));
    for (const one of all.both) await eventsOf(one, FAILED);
    // One for Ada, one for Bob.
    expect(world.traffic.list().filter(({ path }) => path === '/token')).toHaveLength(2);
    expect((await all.search()).status).toBe(404);
    expect(await writtenEvents(all.platform, FAILED)).toBe(1);
  });

  test('a new consent ends the outage, and a second outage is told again', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    await world.connectCalendar(all.platform, all.ada.email);
    expect((await all.search()).status).toBe(200);
    for (const one of all.both)
      expect(await writtenEvents(one, CONNECTED)).toBeGreaterThan(await writtenEvents(one, FAILED));
    await outage(all);
    expect((await all.search()).status).toBe(404);
    for (const one of all.both) await eventsOf(one, FAILED, 2);
  });

  test('a sign-in to the own page ends the outage too, and is told only then', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    const heard = await writtenEvents(all.other, CONNECTED);
    await signIn(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.other, CONNECTED)).toBe(heard + 1);
    await signIn(all.ada.email);
    expect(await writtenEvents(all.other, CONNECTED)).toBe(heard + 1);
  });

  test('a person in an outage can be disconnected', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    expect((await all.platform.api.disconnect(all.ada.email)).status).toBe(200);
    for (const one of all.both) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data.reason).toBe('user_requested');
    }
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
    expect(codeOf(await all.search())).toBe('user_not_found');
  });

  test.each(['kill', 'kill_after', 'reset', 'after'] as const)('is told once when its batch meets %s', async (mode) => {
    const all = await three();
    await outage(all);
    world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'refresh_failed', mode, times: 1 });
    await all.search().catch(() => undefined);
    await world.worker.ready();
    await world.advance(20_000);
    await tick();
    expect(codeOf(await all.search())).toBe('calendar_reconnect_required');
    await tick();
    for (const one of all.both) await eventsOf(one, FAILED);
  });
});

describe('a refusal that comes late', () => {
  /** Ada's calendar is being read; its refresh will be refused a second later. */
  async function lateRefusal() {
    const all = await three();
    await outage(all);
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'delay', delay_ms: 1_000, times: 1 });
    const read = () => all.platform.api.send('GET', `/v1/users/${all.ada.email}/availability`);
    const late = read();
    await vi.waitFor(() => expect(world.faults.list()[0]?.hits).toBe(1));
    return { ...all, read, late };
  }

  test('does not end the grant that was given since', async () => {
    const { platform, ada, late, search } = await lateRefusal();
    await world.connectCalendar(platform, ada.email);
    await late;
    expect(await writtenEvents(platform, FAILED)).toBe(0);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true });
    expect((await search()).status).toBe(200);
  });

  test('is not told again when another request took the refresh over', async () => {
    const { both, read, late } = await lateRefusal();
    await world.advance(16_000);
    expect((await read()).status).toBe(404);
    expect((await late).status).toBe(404);
    for (const one of both) await eventsOf(one, FAILED);
  });
});

describe('a refresh that fails in a way that may pass', () => {
  test.each([
    ['500', { mode: 'status', status: 500 }],
    ['503 in HTML', { mode: 'status', status: 503, body: '<html>' }],
    ['429', { mode: 'status', status: 429 }],
    ['400 without a reason', { mode: 'status', status: 400, body: '<html>' }],
    ['401 invalid_client', { mode: 'status', status: 401, body: { error: 'invalid_client' } }],
    ['a broken connection', { mode: 'reset' }],
    ['a lost answer', { mode: 'after' }],
  ] as const)('changes nothing: %s', async (_name, fault) => {
    const all = await three();
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
});

describe('an outage of seven days', () => {
  test('ends the connections, once', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    await world.advance(7 * DAY - 60_000);
    await tick();
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'needs_reauthorization' });
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    await world.advance(120_000);
    await Promise.all([tick(), tick(), tick()]);
    for (const one of all.both) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toEqual({
        user_email: all.ada.email,
        provider_id: providerIdOf(all.ada.email),
        disconnected_at: instant,
        reason: 'token_expired',
      });
      expect((await one.api.status(all.ada.email)).body).toMatchObject({ calendar_connected: false });
    }
    await tick();
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
    expect(codeOf(await all.search())).toBe('user_not_found');
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(1);
  });

  test('counts from the last consent', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    await world.advance(6 * DAY);
    await world.connectCalendar(all.platform, all.ada.email);
    await world.advance(2 * DAY);
    await tick();
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
  });

  test('is not ended by a sweep that a new consent overtakes', async () => {
    const all = await three();
    await outage(all);
    await all.search();
    await world.advance(7 * DAY + 60_000);
    world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'delay', delay_ms: 700, times: 1 });
    const sweep = tick();
    await vi.waitFor(() => expect(world.faults.list()[0]?.hits).toBe(1));
    await world.connectCalendar(all.platform, all.ada.email);
    await sweep;
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    expect((await all.search()).status).toBe(200);
  });

  test.each(['kill', 'kill_after'] as const)('ends once when the Worker meets %s', async (mode) => {
    const all = await three();
    await outage(all);
    await all.search();
    await world.advance(7 * DAY + 60_000);
    world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'insert into revocations', mode, times: 1 });
    await tick().catch(() => undefined);
    await world.worker.ready();
    await world.advance(61_000);
    await tick();
    await tick();
    for (const one of all.both) await eventsOf(one, DISCONNECTED);
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
  });
});

describe('access withdrawn before its token has run out', () => {
  test('ends the connections with all platforms, however many requests race', async () => {
    const all = await three();
    world.google.revoke(all.ada.email);
    const answers = await times(20, (i) => all.search(i % 2 ? all.platform : all.other));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404));
    for (const one of all.both) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toEqual({
        user_email: all.ada.email,
        provider_id: providerIdOf(all.ada.email),
        disconnected_at: instant,
        reason: 'revoked',
      });
      expect(await writtenEvents(one, FAILED)).toBe(0);
      expect((await one.api.calendars()).body).toMatchObject({ count: 1 });
    }
    const later = await all.search();
    expect(later.body).toMatchObject({ error: { code: 'user_not_found', email: all.ada.email } });
  });

  test('a refused token is refreshed when the grant still stands', async () => {
    const all = await three();
    world.google.expireAccessTokens(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'connected' });
  });
});

/** Signs in to the person's own page, as a browser would. */
async function signIn(email: string) {
  const browser = createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);
  const consent = await browser.open(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`);
  const done = await browser.submit(consent, '/consent', { email, action: 'allow' });
  expect(done.status).toBe(200);
}
