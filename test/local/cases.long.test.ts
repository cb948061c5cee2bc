import { afterAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../schema/api/webhook-events.ts';
import { migratedDatabase, preparedScript } from '../support/worlds/prepared.ts';
import { eventually } from '../support/worlds/quiet.ts';
import { nextChange } from './cases.ts';
import { CALLS } from './control.ts';
import { isSignedBy } from './inbox.ts';
import { seed } from './seed.ts';
import { currentStack } from './welcome.ts';
import { startWorld } from './world.ts';

const world = await startWorld({ patience: 20, script: await preparedScript(), snapshot: await migratedDatabase() });
afterAll(() => world.close());
const stack = await seed(world);

const ANA = 'ana.silva@demo.test';

async function api(method: string, path: string, body?: object) {
  const response = await fetch(world.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${stack.platform.secret_key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function control(method: string, path: string, body?: object) {
  const response = await fetch(world.worldUrl + path, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const search = (...attendees: string[]) => api('POST', '/v1/availability', { attendees, duration_minutes: 30 });

async function book(...attendees: string[]): Promise<string> {
  const { body } = await search(...attendees);
  const [slot] = body.slots;
  const meeting = { attendees, duration_minutes: 30, start_time: slot.start_time, title: 'Case', require_free: true };
  const booked = await api('POST', '/v1/schedule', meeting);
  expect(booked.status).toBe(200);
  return booked.body.meeting_id;
}

async function minute() {
  for (const [path, body] of [['/clock', { advance_seconds: 61 }], ['/cron'], ['/queue/deliver']] as const)
    expect((await control('POST', path, body)).status).toBe(200);
}

describe('people whose calendars do something on purpose', () => {
  test('nobody finds a time with busy.all.week@', async () => {
    expect(await search(ANA, 'busy.all.week@demo.test')).toMatchObject({ status: 200, body: { slots: [] } });
  });

  test('revoked@ must connect again, and guest@ has never connected', async () => {
    for (const when of ['at first', 'a minute later']) {
      if (when === 'a minute later') await minute();
      const revoked = await search(ANA, 'revoked@demo.test');
      const expected = { status: 404, body: { error: { code: 'calendar_reconnect_required' } } };
      expect(revoked, when).toMatchObject(expected);
    }
    const guest = await search(ANA, 'guest@demo.test');
    expect(guest).toMatchObject({ status: 404, body: { error: { code: 'user_not_found' } } });
  });

  test('down@ is unknown, never free', async () => {
    const { status, body } = await search(ANA, 'down@demo.test');
    expect([status, body.error.code]).toEqual([500, 'calendar_unavailable']);
  });

  test.each(['free@demo.test', 'slow@demo.test', 'dst@demo.test'])('a meeting with %s is booked', async (email) => {
    expect(await book(ANA, email)).toMatch(/^meet_/);
  });

  test('part.time@ is offered from Tuesday to Thursday', async () => {
    const { body } = await search(ANA, 'part.time@demo.test');
    const days = body.slots.map(({ start_time }: { start_time: string }) => new Date(start_time).getUTCDay());
    expect(days).toHaveLength(5);
    expect(days.filter((day: number) => day < 2 || day > 4)).toEqual([]);
  });

  test('declines@ declines after a minute', async () => {
    const id = await book(ANA, 'declines@demo.test');
    await minute();
    await eventually(async () => {
      await minute();
      const { body } = await api('GET', `/v1/meetings/${id}`);
      expect(body.rsvps[1]).toMatchObject({ email: 'declines@demo.test', response_status: 'declined' });
    });
  });

  test('moves@ moves the event an hour later after a minute, and the platform is told', async () => {
    const id = await book('moves@demo.test', ANA);
    const start = async () => Date.parse((await api('GET', `/v1/meetings/${id}`)).body.start_time);
    const before = await start();
    await eventually(async () => {
      await minute();
      expect(await start()).toBe(before + 3_600_000);
    });
    await eventually(async () => {
      await control('POST', '/queue/deliver');
      expect((await control('GET', '/inbox')).text).toContain('meeting.updated');
    });
  });

  test.each(['2026-01-15', '2026-07-01', '2026-11-23'])('the clocks of dst@ change within a year of %s', (date) => {
    const now = Date.parse(date);
    const { day } = nextChange(now);
    expect(Date.parse(day)).toBeGreaterThan(now);
    expect(Date.parse(day)).toBeLessThan(now + 366 * 86_400_000);
  });
});

describe('the control server', () => {
  test('its index lists calls that work as they are', async () => {
    const { status, text } = await control('GET', '/');
    expect(status).toBe(200);
    for (const [, call, body] of CALLS) {
      const [method = '', path = ''] = call.split(' ');
      expect(text).toContain(world.worldUrl + path);
      const answer = await control(method, path, body);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    }
  });

  test('answers end with a newline', async () => {
    expect((await control('GET', '/clock')).text).toMatch(/}\n$/);
  });

  test('a person who connects twice keeps their key, and a new one can connect at once', async () => {
    const connect = async (email: string) => JSON.parse((await control('POST', '/connect', { email })).text).api_key;
    expect(await connect(ANA)).toBe(stack.users[0]?.api_key);
    const key = await connect('brand.new@demo.test');
    expect(await connect('brand.new@demo.test')).toBe(key);
  });

  test('an address without a Google account cannot connect, and the message says which can', async () => {
    const { status, text } = await control('POST', '/connect', { email: 'ann@elsewhere.test' });
    expect([status, JSON.parse(text).message]).toEqual([
      502,
      'ann@elsewhere.test has no Google account here. Use an address of demo.test, or add one with POST /google/users.',
    ]);
  });
});

describe('an event that is triggered', () => {
  const trigger = async (event: string) => control('POST', '/trigger', { event });
  const told = async () =>
    JSON.parse((await control('GET', '/inbox')).text).deliveries.map(
      ({ headers }: { headers: Record<string, string> }) => headers['x-service-event'],
    );

  test.each(EVENT_TYPES)('%s reaches the endpoint, signed', async (event) => {
    await control('DELETE', '/inbox');
    const { status, text } = await trigger(event);
    expect([status, text]).toEqual([200, expect.stringContaining(event)]);
    await eventually(async () => {
      await control('POST', '/queue/deliver');
      expect(await told()).toContain(event);
    });
    const { deliveries } = JSON.parse((await control('GET', '/inbox')).text);
    const secret = stack.platform.webhook_secret ?? '';
    const ours = deliveries.filter(
      ({ headers }: { headers: Record<string, string> }) => headers['x-service-event'] === event,
    );
    for (const delivery of ours) expect(isSignedBy(secret, delivery)).toBe(true);
  });

  test('leaves the usage as it was but for its own meetings, so that it can be triggered again', async () => {
    const usage = async () => (await api('GET', '/v1/platform/dashboard')).body.usage.this_month;
    const before = await usage();
    expect((await trigger('platform.usage_limit_reached')).status).toBe(200);
    expect((await trigger('platform.usage_warning')).status).toBe(200);
    expect(await usage()).toBe(before + 2);
  });
});

test('the next start shows no key that was replaced', async () => {
  expect(await currentStack(world, stack)).toEqual(stack);
  const rotated = await api('POST', '/v1/platform/webhook/rotate-secret');
  const { status, body } = await api('POST', '/v1/platform/regenerate-key');
  expect([rotated.status, status]).toEqual([200, 200]);
  const { platform, users } = await currentStack(world, stack);
  expect(platform).toEqual({ ...stack.platform, secret_key: null, webhook_secret: expect.stringMatching(/^whsec_/) });
  expect(platform.webhook_secret).not.toBe(stack.platform.webhook_secret);
  expect(users).toEqual(stack.users);
  expect(body.api_key).toMatch(/^sk_live_/);

  const connected = await control('POST', '/connect', { email: ANA });
  expect(JSON.parse(connected.text).api_key).toBe(stack.users[0]?.api_key);
  const refused = await control('POST', '/trigger', { event: 'meeting.scheduled' });
  expect(refused.text).toContain(`The secret key of ${platform.id} was replaced`);
  const link = (await fetch(`${world.worldUrl}/dashboard`, { redirect: 'manual' })).headers.get('location') ?? '';
  expect(await (await fetch(link)).text()).toContain('Open the dashboard');
});
