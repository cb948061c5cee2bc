import { describe, expect, test, vi } from 'vitest';
import { eventsOf, grantOf, NO_GRANT, providerIdOf, revokeCalls, tick, writtenEvents } from '../support/calendars.ts';
import { createClient } from '../support/client.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../support/factories.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

interface Listed {
  connections: { user_email: string; last_used_at: string; status: string }[];
  count: number;
}

async function two() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  await world.connectCalendar(other, ada.email);
  return { platform, other, ada };
}

const listed = async ({ api }: { api: ReturnType<typeof createClient> }) => (await api.calendars()).body as Listed;

describe('GET /v1/calendars', () => {
  test("lists this platform's connections, oldest first, without a token", async () => {
    const { platform, other, ada } = await two();
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
    });
    expect((await other.api.calendars()).body).toEqual({
      success: true,
      connections: [of(ada.email, 'Europe/London')],
      count: 1,
    });
  });

  test('a platform without connections has none', async () => {
    const platform = await freshPlatform();
    expect((await platform.api.calendars()).body).toEqual({ success: true, connections: [], count: 0 });
  });

  test("shows the person's own zone and that they set their rules", async () => {
    const platform = await freshPlatform();
    const { email } = freshPerson({ timezone: 'UTC' });
    const { api_key } = await world.connect(platform, email);
    await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', { timezone: 'Europe/Paris' });
    expect((await listed(platform)).connections).toEqual([
      expect.objectContaining({ user_email: email, onboarding_complete: true, timezone: 'Europe/Paris' }),
    ]);
  });

  test('last_used_at follows searches with this platform, to the minute', async () => {
    const { platform, other, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    const attendees = [ada.email, bob.email];
    const lastUse = async () => (await listed(platform)).connections.map(({ last_used_at: at }) => Date.parse(at));
    const before = await lastUse();
    await platform.api.availability({ attendees });
    expect(await lastUse()).toEqual(before);

    await world.advance(90_000);
    const searchedAt = world.clock.now();
    await platform.api.availability({ attendees });
    const after = await lastUse();
    for (const at of after) expect(at).toBeGreaterThanOrEqual(searchedAt);
    const [elsewhere] = (await listed(other)).connections;
    expect(Date.parse(elsewhere?.last_used_at ?? '')).toBeLessThan(searchedAt);
  });

  test('last_used_at follows bookings', async () => {
    const { platform, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(90_000);
    const bookedAt = world.clock.now();
    const start_time = new Date(bookedAt + 48 * 3_600_000).toISOString();
    const body = { attendees: [ada.email, bob.email], start_time, duration_minutes: 30, title: 'Intro' };
    expect((await platform.api.schedule(body)).status).toBe(200);
    for (const { last_used_at } of (await listed(platform)).connections)
      expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(bookedAt);
  });

  test('racing searches in both orders all succeed', async () => {
    const { platform, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(90_000);
    const bodies = [
      [ada.email, bob.email],
      [bob.email, ada.email],
    ].map((attendees) => ({ attendees }));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => platform.api.availability(bodies[i % 2])));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  test('without a key it is 401, and a list that cannot be read 500, both flat', async () => {
    const unknown = await createClient(world.baseUrl).calendars();
    expect(unknown.status).toBe(401);
    expect(unknown.body).toMatchObject({ error: 'Unauthorized', message: expect.any(String) });
    const platform = await freshPlatform();
    world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'last_used_at', mode: 'status', status: 500 });
    const failed = await platform.api.calendars();
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ error: 'Internal error', message: expect.stringMatching(/Request \S+\.$/) });
  });

  test('another method is 405', async () => {
    const platform = await freshPlatform();
    expect((await platform.api.send('POST', '/v1/calendars', {})).status).toBe(405);
    expect((await platform.api.send('GET', '/v1/calendars/a@people.test')).status).toBe(405);
  });
});

describe('connecting', () => {
  test('tells every platform the person is connected with, the new one too', async () => {
    const { platform, other, ada } = await two();
    for (const [one, count] of [[platform, 2] as const, [other, 1] as const]) {
      const events = await eventsOf(one, 'user.calendar.connected', count);
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
          connected_at: event?.body.timestamp,
          timezone: 'Europe/London',
          preferences: { timezone: 'Europe/London', working_hours_start: 8, working_hours_end: 18 },
          calendar_access: 'read_write',
        },
      });
    }
  });

  test('an endpoint that does not want the event gets none, and the others do', async () => {
    const { platform, other, ada } = await two();
    await world.neon.query("update webhook_endpoints set events = '{meeting.scheduled}' where platform_id = $1", [
      platform.id,
    ]);
    await platform.api.disconnect(ada.email);
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
    await eventsOf(other, DISCONNECTED);
  });
});

describe('DELETE /v1/calendars/{email}', () => {
  test('ends the connections with all platforms and tells each, once', async () => {
    const { platform, other, ada } = await two();
    const stranger = await freshPlatform();
    const bob = await connectedPerson(stranger, { name: 'bob' });
    world.traffic.clear();
    const answer = await platform.api.disconnect(ada.email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: `The calendar of ${ada.email} is disconnected from all platforms, and access to it is revoked.`,
      email: ada.email,
      platform_id: platform.id,
    });
    const ids = new Set<string>();
    for (const one of [platform, other]) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body).toEqual({
        id: expect.stringMatching(/^wh_[A-Za-z0-9]{20}$/),
        event_type: DISCONNECTED,
        timestamp: instant,
        platform_id: one.id,
        api_version: 'v1',
        data: {
          user_email: ada.email,
          provider_id: providerIdOf(ada.email),
          disconnected_at: event?.body.timestamp,
          reason: 'user_requested',
        },
      });
      const delivery = new Headers(event?.headers).get('x-service-delivery');
      expect(delivery).toMatch(new RegExp(`^wh_del_${one.id.slice(5, 13)}[A-Za-z0-9]{20}$`));
      ids.add(event?.body.id).add(delivery ?? '');
      expect((await listed(one)).count).toBe(0);
      expect((await one.api.status(ada.email)).body).toMatchObject({ email: ada.email, calendar_connected: false });
    }
    expect(ids.size).toBe(4);
    expect(await writtenEvents(stranger, DISCONNECTED)).toBe(0);
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    expect((await stranger.api.status(bob.email)).body).toMatchObject({ calendar_connected: true });
  });

  test('the tokens are dead at the provider, even if they were kept', async () => {
    const { platform, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    const ofAda = 'user_id = (select id from users where email = $1)';
    const [kept] = await world.neon.query(
      `select refresh_token, access_token, access_expires_at::text from calendar_accounts where ${ofAda}`,
      [ada.email],
    );
    await platform.api.disconnect(ada.email);
    const refused = await platform.api.availability({ attendees: [bob.email, ada.email] });
    expect(refused.status).toBe(404);
    expect(refused.body).toMatchObject({ error: { code: 'user_not_found', email: ada.email } });

    await world.neon.query(
      `update calendar_accounts set status = 'connected', refresh_token = $2, access_token = $3,
        access_expires_at = $4::timestamptz where ${ofAda}`,
      [ada.email, String(kept?.refresh_token), String(kept?.access_token), String(kept?.access_expires_at)],
    );
    await world.neon.query(`update connections set disconnected_at = null where ${ofAda}`, [ada.email]);
    const dead = await platform.api.availability({ attendees: [bob.email, ada.email] });
    expect(dead.body).toMatchObject({ error: { code: 'calendar_reconnect_required' } });
  });

  test('a meeting that was booked stays', async () => {
    const { platform, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    const start_time = new Date(world.clock.now() + 48 * 3_600_000).toISOString();
    const body = { attendees: [ada.email, bob.email], start_time, duration_minutes: 30, title: 'Intro' };
    const booked = (await platform.api.schedule(body)).body as { meeting_id: string };
    await platform.api.disconnect(ada.email);
    const [meeting] = await world.neon.query('select status from meetings where id = $1', [booked.meeting_id]);
    expect(meeting).toEqual({ status: 'scheduled' });
    expect(world.google.events(ada.email).map(({ status }) => status)).toEqual(['confirmed']);
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(0);
  });

  test('a person can connect again, and only with whom they do', async () => {
    const { platform, other, ada } = await two();
    await platform.api.disconnect(ada.email);
    await world.connectCalendar(platform, ada.email);
    expect((await platform.api.status(ada.email)).body).toMatchObject({ calendar_connected: true });
    expect((await listed(other)).count).toBe(0);
    expect(await writtenEvents(other, 'user.calendar.connected')).toBe(1);
  });

  test.each([
    ['nobody', async () => ({ platform: await freshPlatform(), email: 'nobody@people.test' })],
    [
      "another platform's person",
      async () => ({ platform: await freshPlatform(), email: (await connectedPerson(await freshPlatform())).email }),
    ],
    [
      'one already disconnected',
      async () => {
        const { platform, ada } = await two();
        await platform.api.disconnect(ada.email);
        return { platform, email: ada.email };
      },
    ],
    [
      'one another platform disconnected',
      async () => {
        const { platform, other, ada } = await two();
        await other.api.disconnect(ada.email);
        return { platform, email: ada.email };
      },
    ],
  ])('%s is 404, flat, and nothing changes', async (_name, given) => {
    const { platform, email } = await given();
    const before = await grantOf(email);
    const answer = await platform.api.disconnect(email);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: 'Connection not found',
      message: `${email} has no calendar connection with this platform.`,
    });
    expect(await grantOf(email)).toEqual(before);
  });

  test.each([
    'nobody',
    '%00',
    'a%00@people.test',
    '%ED%A0%80@people.test',
    `${'a'.repeat(250)}@people.test`,
    '%E0%A4%A',
    '@',
  ])('the address %s is 400 and named', async (text) => {
    const platform = await freshPlatform();
    const answer = await platform.api.send('DELETE', `/v1/calendars/${text}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'Invalid request', field: 'email' });
  });

  test('the address is read encoded and in any case', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform, { name: 'ada+work' });
    const answer = await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(email.toUpperCase())}`);
    expect(answer.body).toMatchObject({ success: true, email });
  });

  test('keys of other kinds are refused', async () => {
    const { platform, ada } = await two();
    const publishable = createClient(world.baseUrl, platform.publishable_key);
    expect((await publishable.disconnect(ada.email)).status).toBe(403);
    expect((await createClient(world.baseUrl).disconnect(ada.email)).status).toBe(401);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected' });
  });
});

describe('races', () => {
  test('twenty requests of two platforms: one succeeds, each platform is told once', async () => {
    const { platform, other, ada } = await two();
    world.traffic.clear();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? platform : other).api.disconnect(ada.email)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test.each([0, 10, 20, 30, 40, 50, 60])(
    'a platform that connects meanwhile, by %i ms, is told or connected',
    async (delay_ms) => {
      const { platform, ada } = await two();
      const late = await freshPlatform({ plan: 'enterprise' });
      world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'delay', delay_ms });
      const [, answer] = await Promise.all([
        world.connectCalendar(late, ada.email).catch(() => undefined),
        platform.api.disconnect(ada.email),
      ]);
      expect(answer.status).toBe(200);
      const connected = await writtenEvents(late, 'user.calendar.connected');
      const told = await writtenEvents(late, DISCONNECTED);
      expect((await listed(late)).count).toBe(connected - told);
      const grant = await grantOf(ada.email);
      if (connected === told) expect(grant).toEqual(NO_GRANT);
      else expect(grant).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
      expect((await listed(platform)).count).toBe(0);
      expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
    },
  );

  test('platforms that connect at the same time all hear of the last one', async () => {
    const person = freshPerson();
    const platforms = await Promise.all(Array.from({ length: 4 }, () => freshPlatform()));
    await Promise.all(platforms.map((platform) => world.connectCalendar(platform, person.email)));
    const heard = await Promise.all(platforms.map((platform) => writtenEvents(platform, 'user.calendar.connected')));
    // However they are ordered, the first hears of four consents and the last of one.
    expect(heard.sort()).toEqual([1, 2, 3, 4]);
  });

  test('a refresh under way does not bring a disconnected grant back', async () => {
    const { platform, other, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(2 * 3_600_000);
    // The grant still stands when the refresh is answered, after the connections have ended.
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'delay', delay_ms: 700 });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    world.traffic.clear();
    const search = platform.api.availability({ attendees: [ada.email, bob.email] });
    const refreshes = () => world.traffic.list().filter(({ path }) => path.startsWith('/token'));
    await vi.waitFor(() => expect(refreshes()).toHaveLength(2));
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    expect(refreshes().map(({ end }) => end)).toEqual([null, null]);
    await search;
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    world.faults.clear();
    await world.advance(61_000);
    await tick();
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test('a request that comes late does not end what was connected since with another platform', async () => {
    const { platform, other, ada } = await two();
    const batch = { target: 'neon', body_match: 'insert into revocations' } as const;
    world.faults.add({ ...batch, mode: 'delay', delay_ms: 700, times: 1 });
    const late = platform.api.disconnect(ada.email);
    await vi.waitFor(() => expect(world.faults.list()[0]?.hits).toBe(1));
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    await world.connectCalendar(other, ada.email);
    expect((await late).status).toBe(404);
    expect((await listed(other)).count).toBe(1);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });
});

describe('the revocation', () => {
  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['answers 400 without saying why', { mode: 'status', status: 400, body: 'Bad Request' }],
    ['answers 429', { mode: 'status', status: 429 }],
    ['drops the connection', { mode: 'reset' }],
    ['drops the answer', { mode: 'after' }],
    ['hangs', { mode: 'hang' }],
  ] as const)('is carried through when the provider %s', async (_name, fault) => {
    const { platform, other, ada } = await two();
    await tick();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    await world.advance(61_000);
    await tick();
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    world.faults.clear();
    world.traffic.clear();
    await tick();
    expect(revokeCalls()).toEqual([]);
    await world.advance(121_000);
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });

  test('is done when the provider knows the token no more', async () => {
    const { platform, ada } = await two();
    world.google.revoke(ada.email);
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test('does not end a grant that was given since', async () => {
    const { platform, ada } = await two();
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    await platform.api.disconnect(ada.email);
    world.faults.clear();
    await world.connectCalendar(platform, ada.email);
    await world.advance(3_600_000);
    await tick();
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
  });
});

describe('a failing database and a Worker that dies', () => {
  const batch = { target: 'neon', match: 'POST /sql', body_match: 'insert into revocations', times: 1 } as const;

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
  ] as const)('nothing has changed when the database %s', async (_name, fault) => {
    const { platform, ada } = await two();
    world.faults.add({ ...batch, ...fault });
    const answer = await platform.api.disconnect(ada.email);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error: 'Internal error', message: expect.stringMatching(/Request \S+\.$/) });
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    await eventsOf(platform, DISCONNECTED);
  });

  test('killed before the batch, a second request does it all', async () => {
    const { platform, other, ada } = await two();
    world.faults.add({ ...batch, mode: 'kill' });
    await expect(platform.api.disconnect(ada.email)).rejects.toThrow();
    await world.worker.ready();
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test.each([
    ['after the batch', { ...batch, mode: 'kill_after' }],
    ['before the revocation', { target: 'google', match: 'POST /revoke', mode: 'kill', times: 1 }],
    ['after the revocation', { target: 'google', match: 'POST /revoke', mode: 'kill_after', times: 1 }],
  ] as const)('killed %s, the sweep does the rest', async (_name, fault) => {
    const { platform, other, ada } = await two();
    await tick();
    world.faults.add(fault);
    await expect(platform.api.disconnect(ada.email)).rejects.toThrow();
    await world.worker.ready();
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(404);
    await world.advance(61_000);
    world.traffic.clear();
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });
});
