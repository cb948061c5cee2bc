import { describe, expect, test } from 'vitest';
import { flatRefusal } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/rows.ts';
import {
  connectedTwice,
  eventsOf,
  grantOf,
  instant,
  listed,
  providerIdOf,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { atDashboard, suspend, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPerson, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { bookable, seen } from '../../support/people/meetings.ts';
import { openInvitation } from '../../support/people/proposing.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('GET /v1/calendars', () => {
  test("lists this platform's connections, oldest first, without a token", async () => {
    const { platform, other, ada } = await connectedTwice();
    await world.advance(1_000);
    const bob = await connectedPerson(platform, { name: 'bob', timezone: 'Asia/Tokyo' });
    const answer = await platform.api.calendars();
    expect(answer.status).toBe(200);
    const of = (email: string, timezone: string) => ({
      user_email: email,
      provider_id: providerIdOf(email),
      calendar_provider: 'google',
      status: 'connected',
      connected_at: instant,
      last_used_at: instant,
      onboarding_complete: false,
      timezone,
    });
    expect(answer.body).toEqual({
      success: true,
      connections: [of(ada.email, 'Europe/London'), of(bob.email, 'Asia/Tokyo')],
      count: 2,
      pagination: LAST_PAGE,
    });
    expect((await other.api.calendars()).body).toEqual({
      success: true,
      connections: [of(ada.email, 'Europe/London')],
      count: 1,
      pagination: LAST_PAGE,
    });
  });

  test("shows the person's own zone and that they set their rules", async () => {
    const platform = await freshPlatform();
    const { email } = freshPerson({ timezone: 'UTC' });
    const own = await ownClient(platform, email);
    await own.send('PUT', '/v1/user/preferences', { timezone: 'Europe/Paris' });
    expect((await listed(platform)).connections).toEqual([
      expect.objectContaining({ user_email: email, onboarding_complete: true, timezone: 'Europe/Paris' }),
    ]);
  });

  test('last_used_at follows searches with this platform, to the hour', async () => {
    const { platform, other, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    const attendees = [ada.email, bob.email];
    const lastUse = async () => (await listed(platform)).connections.map(({ last_used_at: at }) => Date.parse(at));
    const before = await lastUse();
    await platform.api.availability({ attendees });
    expect(await lastUse()).toEqual(before);

    await world.advance(3_700_000);
    const searchedAt = world.clock.now();
    await platform.api.availability({ attendees });
    // The Worker records the use after it has answered.
    await expect.poll(async () => Math.min(...(await lastUse()))).toBeGreaterThanOrEqual(searchedAt);
    const [elsewhere] = (await listed(other)).connections;
    expect(Date.parse(elsewhere?.last_used_at ?? '')).toBeLessThan(searchedAt);
  });

  test('last_used_at follows bookings', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(3_700_000);
    const bookedAt = world.clock.now();
    const start_time = new Date(bookedAt + 48 * 3_600_000).toISOString();
    const body = { attendees: [ada.email, bob.email], start_time, duration_minutes: 30, title: 'Intro' };
    expect((await platform.api.schedule(body)).status).toBe(200);
    for (const { last_used_at } of (await listed(platform)).connections)
      expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(bookedAt);
  });

  test('without a key it is 401, and a list that cannot be read 500, both flat', async () => {
    const unknown = await createClient(world.baseUrl).calendars();
    expect(unknown.status).toBe(401);
    expect(unknown.body).toMatchObject({ error: 'Unauthorized', message: expect.any(String) });
    const platform = await freshPlatform();
    world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'last_used_at', mode: 'status', status: 500 });
    const failed = await platform.api.calendars();
    expect(seen(failed)).toEqual(
      flatRefusal(500, 'Internal error', {
        message: expect.stringMatching(/The request ID is \S+\. If it happens again/),
      }),
    );
  });
});

test('connecting tells every platform the person is connected with, the new one too', async () => {
  const { platform, other, ada } = await connectedTwice();
  for (const [one, count] of [[platform, 2] as const, [other, 1] as const]) {
    const events = await eventsOf(one, 'user.calendar.connected', count);
    const [first] = events;
    const event = events.at(-1);
    expect(event?.body).toEqual({
      id: expect.stringMatching(/^wh_[A-Za-z0-9]{20}$/),
      event_type: 'user.calendar.connected',
      timestamp: instant,
      platform_id: one.id,
      api_version: 'v1',
      data: {
        user_email: ada.email,
        provider_id: providerIdOf(ada.email),
        connected_at: first?.body.timestamp,
        timezone: 'Europe/London',
        preferences: { timezone: 'Europe/London', working_hours_start: 8, working_hours_end: 18 },
        calendar_access: 'read_write',
      },
    });
  }
});

describe('a caller whose access ends meanwhile', () => {
  type At = Awaited<ReturnType<typeof connectedTwice>>;
  const replace =
    (body?: object) =>
    ({ platform }: Pick<At, 'platform'>) =>
      platform.api.send('POST', '/v1/platform/regenerate-key', body);
  const KEY_ENDS = [
    ['its key is replaced', replace()],
    ['its key is replaced and kept', replace({ keep_old_for_hours: 72 })],
    ['it is suspended', ({ platform }: Pick<At, 'platform'>) => suspend(platform)],
  ] as const;
  const ENDING = 'insert into revocations';

  async function meanwhile<T>(match: string, act: () => Promise<T>, end: () => Promise<unknown>): Promise<T> {
    const held = hold({ target: 'neon', body_match: match, times: 1 });
    const acting = act();
    await met(held);
    await end();
    held.release();
    return acting;
  }

  const expectConnected = async ({ ada, platform }: At) => {
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
  };

  test.each(KEY_ENDS)('a platform disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const answer = await meanwhile(
      ENDING,
      () => at.platform.api.disconnect(at.ada.email),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    await expectConnected(at);
  });

  test.each(KEY_ENDS)('a platform erases no guest if %s', async (_how, end) => {
    const at = await openInvitation();
    const path = `/v1/users/${encodeURIComponent(at.guest)}`;
    const answer = await meanwhile(
      'person.erased',
      () => at.platform.api.send('DELETE', path),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const guests = await world.neon.query('select 1 from users where guest_email = $1', [at.guest]);
    expect(guests).toHaveLength(1);
  });

  test.each(KEY_ENDS)('a dashboard disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const { browser } = await atDashboard(at.platform);
    const page = await visit(browser, `/dashboard/people/disconnect?user_email=${encodeURIComponent(at.ada.email)}`);
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, '/people/disconnect'),
      () => end(at),
    );
    expect(status).toBe(401);
    await expectConnected(at);
  });

  test.each([
    ['disconnects no platform', '/me/disconnect'],
    ['deletes nothing', '/me/delete'],
  ])('a person who signs out everywhere %s', async (_what, path) => {
    const at = await connectedTwice();
    const { browser } = await world.signIn(at.ada.email);
    const page = await visit(browser, `${path}?platform_id=${at.platform.id}`);
    const mine = await visit(browser, '/me');
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, path),
      () => browser.submit(mine, '/me/sign-out-everywhere'),
    );
    expect(status).toBe(401);
    await expectConnected(at);
    expect((await listed(at.platform)).count).toBe(1);
  });
});

const limit = (reason: string) => ({
  error: { errors: [{ domain: 'usageLimits', reason, message: '-' }], code: 403, message: '-' },
});

/** Makes every call that matches get this answer. Returns the number of calls that got it. */
const answering = (match: string, status: number, body: object) =>
  world.faults.add({ target: 'google', match: `${match}`, mode: 'status', status, body });

test('a spent quota is asked once, and the answer says when to come back', async () => {
  const { platform, body: booking } = await bookable();
  const fault = answering('POST /calendar/v3/calendars/primary/events', 403, limit('quotaExceeded'));
  const { status, body, headers, text } = await platform.api.schedule(booking);
  expect([status, body]).toMatchObject([500, { error: { code: 'calendar_unavailable' } }]);
  expect(text).toContain('Nothing was booked.');
  expect(headers.get('retry-after')).toBe('3600');
  expect(fault.hits()).toBe(1);
});

const UNKNOWN = 'Tandem will finish or undo the booking within minutes. In a few minutes, look in GET';

test.each([
  ['holds nobody’s time', 'refused', 'Nothing was booked.', 0],
  ['after a call without an answer may be booked still', 'after', UNKNOWN, 1],
])('a booking that Google refuses for a limit %s', async (_name, first, words, held) => {
  const { platform, bob, body } = await bookable();
  const calls = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
  if (first === 'after') world.faults.add({ ...calls, mode: first, times: 1 });
  world.faults.add({ ...calls, mode: 'status', status: 429 });
  expect((await platform.api.schedule(body)).text).toContain(words);
  const holds = 'select 1 from holds h join users u on u.id = h.user_id where u.email = $1';
  expect(await world.neon.query(holds, [bob.email])).toHaveLength(held);
});

test('a list of calendars that our own quota hides does not connect anybody with their main calendar alone', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  answering('GET /calendar/v3/users/me/calendarList', 403, limit('dailyLimitExceeded'));
  await expect(world.connectCalendar(platform, email)).rejects.toThrow(email);
  world.faults.clear();
  await world.connectCalendar(platform, email);
});
