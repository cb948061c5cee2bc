import { describe, expect, test } from 'vitest';
import { flatRefusal } from '../../support/checks/errors.ts';
import { LAST_PAGE } from '../../support/checks/rows.ts';
import {
  connectedTwice,
  eventsOf,
  instant,
  listed,
  providerIdOf,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { seen } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
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

  test('a platform without connections has none', async () => {
    const platform = await freshPlatform();
    expect((await platform.api.calendars()).body).toEqual({
      success: true,
      connections: [],
      count: 0,
      pagination: LAST_PAGE,
    });
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

  test('racing searches in both orders all succeed', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(3_700_000);
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
    expect(seen(failed)).toEqual(
      flatRefusal(500, 'Internal error', {
        message: expect.stringMatching(/The request ID is \S+\. If it happens again/),
      }),
    );
  });

  test('another method is 405', async () => {
    const platform = await freshPlatform();
    expect((await platform.api.send('POST', '/v1/calendars', {})).status).toBe(405);
    expect((await platform.api.send('GET', '/v1/calendars/a@people.test')).status).toBe(405);
  });
});

describe('connecting', () => {
  test('tells every platform the person is connected with, the new one too', async () => {
    const { platform, other, ada } = await connectedTwice();
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
    const { platform, other, ada } = await connectedTwice();
    await world.neon.query("update webhook_endpoints set events = '{meeting.scheduled}' where platform_id = $1", [
      platform.id,
    ]);
    await platform.api.disconnect(ada.email);
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
    await eventsOf(other, DISCONNECTED);
  });
});
