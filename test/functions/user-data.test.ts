import { describe, expect, test } from 'vitest';
import { eventsOf, listed, providerIdOf, revokeCalls, tick, times, writtenEvents } from '../support/calendars.ts';
import { createClient } from '../support/client.ts';
import { connectedPerson, type TestPlatform } from '../support/factories.ts';
import { adaAtHome, deleteOnPage } from '../support/me.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const FORMER = /^former-user-[a-z0-9]{12}@former\.invalid$/;
const HOUR = 3_600_000;

/** Ada at home, who learned something and has meetings with Bob of both platforms. */
async function adaWithAHistory() {
  const at = await adaAtHome();
  const bob = await connectedPerson(at.platform, { name: 'bob' });
  await world.connectCalendar(at.other, bob.email);
  const given = { buffer_minutes: 15, scheduling_context: 'no meetings on Fridays' };
  expect((await at.own.send('PUT', '/v1/user/preferences', given)).status).toBe(200);
  const book = async (platform: TestPlatform, hours: number, more: Record<string, unknown> = {}) => {
    const body = {
      attendees: [at.ada.email, bob.email],
      start_time: new Date(world.clock.now() + hours * HOUR).toISOString(),
      duration_minutes: 30,
      title: 'Coffee',
      ...more,
    };
    return (await platform.api.schedule(body)).body as { meeting_id: string };
  };
  const first = await book(at.platform, 48);
  const second = await book(at.other, 72);
  return { ...at, bob, book, first, second };
}

const rows = (sql: string, ...values: string[]) => world.neon.query(sql, values);
const read = async (platform: TestPlatform, id: string) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as {
    attendees: string[];
    title: string;
    description: string;
  };

/** Every column of every table, as text, in which a word stands. */
async function placesOf(word: string): Promise<string[]> {
  const columns = await rows(
    "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2",
  );
  const places: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const [found] = await rows(
      `select count(*)::int as n from "${table}" where "${column}"::text ilike '%' || $1 || '%'`,
      word,
    );
    if (Number(found?.n) > 0) places.push(`${table}.${column}`);
  }
  return places;
}

describe('GET /v1/user/export', () => {
  test('is everything that is held, of all platforms, and no secret', async () => {
    const { platform, other, ada, bob, own, first, second } = await adaWithAHistory();
    const answer = await own.send('GET', '/v1/user/export');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      email: ada.email,
      provider_id: providerIdOf(ada.email),
      onboarding_completed: true,
      calendar: { provider: 'google', status: 'connected', timezone: 'Europe/London' },
      preferences: { buffer_minutes: 15, scheduling_context: 'no meetings on Fridays' },
      learned_weights: { buffer_importance: 1 },
      learning: [{ source: 'scheduling_context', weight: 'day_of_week_preference.friday' }],
      platforms: expect.arrayContaining([
        expect.objectContaining({ platform_id: platform.id, name: 'Test platform', disconnected_at: null }),
        expect.objectContaining({ platform_id: other.id }),
      ]),
      api_keys: [{ masked: expect.stringMatching(/^sk_user_….{4}$/), revoked_at: null }],
      meetings: [
        { platform_id: platform.id, meeting_id: first.meeting_id, title: 'Coffee', attendees: [ada.email, bob.email] },
        { platform_id: other.id, meeting_id: second.meeting_id },
      ],
      not_included: expect.arrayContaining([expect.stringContaining('encrypted')]),
    });
    expect(answer.text).not.toMatch(/sk_user_[\w-]{10}|ya29\.|"k1\./);
  });

  test('is the same as a download from the page', async () => {
    const { browser, own } = await adaWithAHistory();
    const page = await browser.open(`${world.baseUrl}/me/export`);
    expect(page.status).toBe(200);
    const { exported_at: _, ...held } = JSON.parse(page.html);
    expect((await own.send('GET', '/v1/user/export')).body).toMatchObject(held);
  });

  test('holds all of a long history, once', async () => {
    const { platform, ada, own, first } = await adaWithAHistory();
    await rows(
      `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive, created_at, updated_at)
       select 'meet_long' || $3 || n, platform_id, organizer_id, 'cancelled', 'Long ago', location, '2026-01-01'::timestamptz + n / 3 * interval '1 hour',
         '2026-01-01'::timestamptz + (n / 3 + 1) * interval '1 hour', 'long' || n, false, created_at, updated_at
       from meetings, generate_series(1, 450) n where id = $1 and platform_id = $2`,
      first.meeting_id,
      platform.id,
      first.meeting_id,
    );
    await rows(
      `insert into meeting_people (meeting_id, user_id, email, position, response_status)
       select m.id, p.user_id, p.email, p.position, p.response_status
       from meetings m, meeting_people p where m.id like 'meet_long' || $1 || '%' and p.meeting_id = $1`,
      first.meeting_id,
    );
    const { body } = await own.send('GET', '/v1/user/export');
    const ids = (body as { meetings: { meeting_id: string }[] }).meetings.map(({ meeting_id }) => meeting_id);
    expect([ids.length, new Set(ids).size]).toEqual([452, 452]);
    expect(ada.email).toBeDefined();
  });
});

describe.each([
  ['DELETE /v1/user', async ({ own }: Awaited<ReturnType<typeof adaAtHome>>) => own.send('DELETE', '/v1/user')],
  ['the page', async ({ browser }: Awaited<ReturnType<typeof adaAtHome>>) => deleteOnPage(browser)],
])('deleting a person by %s', (_name, deleteBy) => {
  test('ends every connection, tells each platform, revokes the grant and kills the key', async () => {
    const at = await adaWithAHistory();
    const { platform, other, ada, own } = at;
    const formerId = providerIdOf(ada.email);
    world.traffic.clear();
    expect((await deleteBy(at)).status).toBe(200);
    expect(revokeCalls()).toHaveLength(1);
    for (const one of [platform, other]) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toMatchObject({
        user_email: ada.email,
        provider_id: formerId,
        reason: 'user_requested',
      });
      expect((await listed(one)).connections.map(({ user_email }) => user_email)).not.toContain(ada.email);
      expect((await one.api.status(ada.email)).body).toMatchObject({ calendar_connected: false, last_sync: null });
    }
    for (const path of ['/v1/user/info', '/v1/user/export', '/v1/user/learning'])
      expect((await own.send('GET', path)).status).toBe(401);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(401);
  });

  test('leaves her address in nothing but what was already told, and that has an age', async () => {
    const at = await adaWithAHistory();
    const formerId = providerIdOf(at.ada.email) ?? '';
    await deleteBy(at);
    const kept = ['deliveries.body', 'idempotency_keys.body', 'jobs.request', 'jobs.result'];
    expect((await placesOf(at.ada.email)).filter((place) => !kept.includes(place))).toEqual([]);
    expect((await placesOf(formerId)).filter((place) => !kept.includes(place))).toEqual([]);
  });

  test('leaves the meetings as the other person’s record, with a former user in her place', async () => {
    const at = await adaWithAHistory();
    const { platform, other, bob, ada, first, second } = at;
    await deleteBy(at);
    const meeting = await read(platform, first.meeting_id);
    expect(meeting).toMatchObject({
      status: 'scheduled',
      title: 'Coffee',
      attendees: [expect.stringMatching(FORMER), bob.email],
    });
    const [former = ''] = meeting.attendees;
    expect((await read(other, second.meeting_id)).attendees).toEqual([former, bob.email]);
    const list = (email: string) => platform.api.send('GET', `/v1/users/${encodeURIComponent(email)}/meetings`);
    for (const email of [bob.email, former]) expect((await list(email)).body).toMatchObject({ total: 1 });
    expect((await list(ada.email)).status).toBe(404);
    expect(world.google.events(ada.email)).toHaveLength(2);
  });
});

describe('a deleted person', () => {
  test('has no address and no name in titles, descriptions and places', async () => {
    const { platform, ada, own, book } = await adaWithAHistory();
    const name = ada.email
      .slice(0, ada.email.indexOf('@'))
      .split('.')
      .map((word) => word[0]?.toUpperCase() + word.slice(1))
      .join(' ');
    const { meeting_id } = await book(platform, 96, {
      title: `Intro: ${name} and Bob`,
      description: `Call ${ada.email.toUpperCase()} first, not x${ada.email}. ${name} knows.`,
      location: `Room of ${ada.email}`,
    });
    await own.send('DELETE', '/v1/user');
    expect(await read(platform, meeting_id)).toMatchObject({
      title: 'Intro: a former user and Bob',
      description: `Call a former user first, not x${ada.email}. a former user knows.`,
      location: 'Room of a former user',
    });
  });

  test('’s meeting can be cancelled, and not moved', async () => {
    const { platform, bob, own, first } = await adaWithAHistory();
    await own.send('DELETE', '/v1/user');
    const path = `/v1/meetings/${first.meeting_id}`;
    const start = world.clock.now() + 100 * HOUR;
    const times = { start_time: new Date(start).toISOString(), end_time: new Date(start + HOUR).toISOString() };
    const moved = await platform.api.send('PUT', path, times);
    expect([moved.status, moved.body]).toMatchObject([
      404,
      {
        error: {
          code: 'calendar_reconnect_required',
          message: 'One of the two is a user no more, so that this meeting can only be cancelled.',
        },
      },
    ]);
    const asked = { meeting_id: first.meeting_id, requested_by: bob.email, reason: 'too early' };
    expect((await platform.api.send('POST', `${path}/reschedule`, asked)).status).toBe(404);
    expect((await platform.api.send('DELETE', path)).body).toMatchObject({
      status: 'cancelled',
      calendar_event: 'kept',
    });
    const [event] = await eventsOf(platform, 'meeting.cancelled');
    expect(event?.body.data.attendees).toEqual([expect.stringMatching(FORMER), bob.email]);
  });

  test('is deleted once, however many requests race', async () => {
    const { platform, other, own, first } = await adaWithAHistory();
    world.traffic.clear();
    const answers = await times(6, () => own.send('DELETE', '/v1/user'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set(answers.some(({ status }) => status === 401) ? [200, 401] : [200]),
    );
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(revokeCalls()).toHaveLength(1);
    expect((await read(platform, first.meeting_id)).attendees[0]).toMatch(FORMER);
  });

  test('who consents again is somebody new, with nothing of before', async () => {
    const { platform, ada, bob, own, first } = await adaWithAHistory();
    await own.send('DELETE', '/v1/user');
    const { api_key } = await world.connect(platform, ada.email);
    const fresh = createClient(world.baseUrl, api_key);
    expect((await fresh.send('GET', '/v1/user/export')).body).toMatchObject({
      preferences: { buffer_minutes: 0, scheduling_context: '' },
      learning: [],
      meetings: [],
      platforms: [{ platform_id: platform.id }],
    });
    expect((await read(platform, first.meeting_id)).attendees[0]).toMatch(FORMER);
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
  });

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['hangs', { mode: 'hang' }],
    ['drops the answer', { mode: 'after' }],
  ] as const)('’s grant is revoked by the sweep where the provider %s', async (_name, fault) => {
    const { own } = await adaWithAHistory();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault });
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    world.faults.clear();
    world.traffic.clear();
    await world.advance(61_000);
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await rows('select * from revocations')).toEqual([]);
  });

  test.each([
    ['while it could not be revoked', { mode: 'status', status: 503 }],
    ['while the revocation is on its way', { mode: 'delay', delay_ms: 2_500 }],
    ['after the revocation’s answer was lost', { mode: 'after' }],
  ] as const)('who consents again %s keeps the new grant', async (_name, fault) => {
    const { platform, ada, bob, own } = await adaWithAHistory();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault, times: 1 });
    const leaving = own.send('DELETE', '/v1/user');
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    await expect
      .poll(async () => (await platform.api.status(ada.email)).body)
      .toMatchObject({ calendar_connected: false });
    await world.connectCalendar(platform, ada.email);
    await leaving;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.advance(60_000);
      await tick();
    }
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
  });

  test('stays deleted when a consent was under way that took them for who they were', async () => {
    const { platform, ada, own, first } = await adaWithAHistory();
    world.faults.add({
      target: 'neon',
      body_match: 'insert into .{2}calendar_accounts',
      mode: 'delay',
      delay_ms: 600,
      times: 1,
    });
    const consenting = world.connectCalendar(platform, ada.email).catch(() => undefined);
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    await consenting;
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
    const [former = ''] = (await read(platform, first.meeting_id)).attendees;
    expect(former).toMatch(FORMER);
    expect(await rows('select preferences, ended_at is not null as ended from users where email = $1', former)).toEqual(
      [{ preferences: {}, ended: true }],
    );
  });

  test('is given nothing by a request that was under way', async () => {
    const { platform, ada, own, first } = await adaWithAHistory();
    world.faults.add({
      target: 'neon',
      body_match: 'update .{2}users.{2} set .{2}preferences',
      mode: 'delay',
      delay_ms: 600,
      times: 1,
    });
    const setting = own.send('PUT', '/v1/user/preferences', { buffer_minutes: 30 });
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
    expect((await setting).status).toBe(401);
    const [former = ''] = (await read(platform, first.meeting_id)).attendees;
    expect(await rows('select preferences from users where email = $1', former)).toEqual([{ preferences: {} }]);
    expect(ada.email).not.toBe(former);
  });

  test('is not deleted when the database fails', async () => {
    const { platform, own } = await adaWithAHistory();
    world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'status', status: 500, times: 1 });
    const failed = await own.send('DELETE', '/v1/user');
    expect([failed.status, failed.body]).toMatchObject([
      500,
      { error: 'Internal error', message: expect.stringMatching(/Request \S+\.$/) },
    ]);
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
    expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  });
});
