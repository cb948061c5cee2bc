import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { createBrowser } from '../../local/browser.ts';
import { refusal } from '../../support/checks/errors.ts';
import {
  codeOf,
  eventsOf,
  grantOf,
  instant,
  loseGrant,
  NO_GRANT,
  providerIdOf,
  searchable,
  tick,
  times,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { seen } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const FAILED = 'user.calendar.refresh_failed';
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
    await signIn(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.other, CONNECTED)).toBe(heard + 1);
    await signIn(all.ada.email);
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
});

/** Signs in to the person's own page, as a browser would. */
async function signIn(email: string) {
  const browser = createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);
  const consent = await browser.open(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`);
  const done = await browser.submit(consent, '/consent', { email, action: 'allow' });
  expect(done.status).toBe(200);
}
