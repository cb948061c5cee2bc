import { describe, expect, test } from 'vitest';
import { NOT_VALID } from '../../support/checks/errors.ts';
import { message } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { bookable, callsOf, liveEvents, seen, toNextMinute, useQuota } from '../../support/people/meetings.ts';
import { type Answer, createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Creates a platform whose key the Worker has just cached, and the body that books its two people. */
async function known(plan?: string) {
  const made = await bookable(plan === undefined ? {} : { plan });
  expect((await made.platform.api.calendars()).status).toBe(200);
  return made;
}

const revoke = (hashOf: { id: string }) =>
  world.neon.query("update api_keys set revoked_at = now() where platform_id = $1 and kind = 'secret'", [hashOf.id]);

/** Returns the body and options of a request that sends a message to the MCP server. */
function asAgent(...said: Parameters<typeof message>) {
  const { headers, body } = message(...said);
  return [body, { headers }] as const;
}

type Known = Awaited<ReturnType<typeof known>>;
const KEYED = { headers: { 'Idempotency-Key': 'once' } };

describe('a key that was revoked since it was last seen is refused at once', () => {
  test.each<[what: string, send: (known: Known) => Promise<Answer>]>([
    ['a read', ({ platform }) => platform.api.calendars()],
    ['a read of nothing', ({ platform }) => platform.api.send('GET', '/v1/meetings/nonsense')],
    ['a search', ({ platform, body }) => platform.api.availability({ attendees: body.attendees })],
    ['a booking', ({ platform, body }) => platform.api.schedule(body)],
    ['a booking with a key', ({ platform, body }) => platform.api.schedule(body, KEYED)],
    ['a body that is refused', ({ platform }) => platform.api.schedule({ attendees: 7 })],
    ['a body too long', ({ platform }) => platform.api.schedule('x'.repeat(70_000))],
    ['a list of tools', ({ platform }) => platform.api.send('POST', '/mcp', ...asAgent('tools/list'))],
    [
      'a tool',
      ({ platform, ada }) => {
        const called = { name: 'list_meetings', arguments: { email: ada.email } };
        return platform.api.send('POST', '/mcp', ...asAgent('tools/call', called));
      },
    ],
    ['a path that is not there', ({ platform }) => platform.api.send('GET', '/v1/nothing')],
    ['another method', ({ platform }) => platform.api.send('PATCH', '/v1/calendars')],
    ['a path for users', ({ platform }) => platform.api.send('GET', '/v1/user/info')],
    ['another key', ({ platform }) => platform.api.send('POST', '/v1/platform/regenerate-key')],
    [
      'settings',
      ({ platform }) => platform.api.send('PUT', '/v1/platform/settings', { webhook_url: platform.webhookUrl }),
    ],
  ])('%s', async (_what, send) => {
    const at = await known();
    await revoke(at.platform);
    const rows = async () => [
      await world.neon.query('select id from meetings where platform_id = $1', [at.platform.id]),
      await world.neon.query('select id from jobs where platform_id = $1', [at.platform.id]),
      await world.neon.query('select key from idempotency_keys where platform_id = $1', [at.platform.id]),
      await world.neon.query('select hash from api_keys where platform_id = $1 and revoked_at is null', [
        at.platform.id,
      ]),
      await world.neon.query('select user_id, last_used_at from connections where platform_id = $1', [at.platform.id]),
    ];
    const before = await rows();
    const answer = await send(at);
    expect(seen(answer)).toEqual(NOT_VALID);
    expect([callsOf(answer, 'google'), callsOf(answer, 'qstash')]).toEqual([0, 0]);
    expect(callsOf(answer, 'neon')).toBeLessThanOrEqual(2);
    expect(await rows()).toEqual(before);
    expect(liveEvents(at.ada.email)).toEqual([]);

    const again = await send(at);
    expect([seen(again), callsOf(again, 'neon')]).toEqual([NOT_VALID, 0]);
  });

  test('its search is not recorded as a use of the calendars', async () => {
    const { platform, body } = await known();
    await world.advance(3_700_000);
    await revoke(platform);
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(401);
    await expect.poll(() => world.traffic.list().every(({ end }) => end !== null)).toBe(true);
    const [noted] = await world.neon.query(
      'select count(*)::int as lately from connections where platform_id = $1 and last_used_at > $2',
      [platform.id, new Date(world.clock.now() - 3_600_000).toISOString()],
    );
    expect(noted).toEqual({ lately: 0 });
  });

  test.each([
    ['a platform', '/v1/platform/regenerate-key', '/v1/calendars'],
    ['a user', '/v1/user/api-key/regenerate', '/v1/user/preferences'],
  ])('by %s who has another in its place from another Worker', async (who, regenerate, reads) => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    const key = who === 'a user' ? (await world.connect(platform, email)).api_key : platform.secret_key;
    const second = await world.startSecond();
    try {
      const send = (baseUrl: string, key: string, method: string, path: string) =>
        createClient(baseUrl, key).send(method, path);
      const statuses = async (key: string) =>
        Promise.all([world, second].map(async ({ baseUrl }) => (await send(baseUrl, key, 'GET', reads)).status));
      expect(await statuses(key)).toEqual([200, 200]);
      const { body } = await send(second.baseUrl, key, 'POST', regenerate);
      expect(await statuses(key)).toEqual([401, 401]);
      expect(await statuses((body as { api_key: string }).api_key)).toEqual([200, 200]);
    } finally {
      await second.close();
    }
  });
});

describe('what a platform has become since its key was last seen counts at once', () => {
  test('its plan, for a read', async () => {
    const { platform } = await known('developer');
    await world.neon.query("update platforms set plan = 'scale' where id = $1", [platform.id]);
    const answer = await platform.api.send('GET', '/v1/platform/dashboard');
    expect(answer.body).toMatchObject({ platform: { plan: 'scale' }, usage: { limit: 5_000 } });
    expect(callsOf(answer, 'neon')).toBe(2);
  });

  test('its plan, for a booking beyond the former quota, which goes in once', async () => {
    const { platform, body, ada } = await known('developer');
    await useQuota(platform, 25);
    expect((await platform.api.schedule(body)).status).toBe(429);
    await world.neon.query("update platforms set plan = 'scale' where id = $1", [platform.id]);
    expect((await platform.api.schedule(body, KEYED)).status).toBe(200);
    expect(liveEvents(ada.email)).toHaveLength(1);
  });

  test('its redirect URIs', async () => {
    const { platform } = await known();
    const uri = 'https://app.example.com/done';
    const path = `/v1/platform/oauth-url?user_email=someone@people.test&redirect_uri=${encodeURIComponent(uri)}`;
    expect((await platform.api.send('GET', path)).status).toBe(400);
    await world.neon.query('update platforms set redirect_uris = $2 where id = $1', [platform.id, [uri]]);
    expect((await platform.api.send('GET', path)).status).toBe(200);
    await world.neon.query("update platforms set redirect_uris = '{}' where id = $1", [platform.id]);
    expect((await platform.api.send('GET', path)).status).toBe(400);
  });
});

test.each<[what: string, path: string]>([
  ['a read', '/v1/calendars'],
  ['a read of nothing', '/v1/meetings/nonsense'],
])('%s is not answered where its key cannot be checked', async (_what, path) => {
  const { platform } = await known();
  world.faults.add({ target: 'neon', body_match: 'from \\\\"api_keys', mode: 'status', status: 500 });
  expect((await platform.api.send('GET', path)).status).toBe(500);
});

test('a key outlives a database that does not answer', async () => {
  const { platform, body } = await known();
  world.faults.add({ target: 'neon', mode: 'status', status: 500 });
  expect((await platform.api.calendars()).status).toBe(500);
  expect((await platform.api.schedule({ attendees: 7 })).status).toBe(500);
  world.faults.clear();
  expect((await platform.api.calendars()).status).toBe(200);
  expect((await platform.api.schedule(body)).status).toBe(200);
});

test('a search beyond the limit of the minute asks no calendar', async () => {
  const { platform, body } = await known('developer');
  const search = () => platform.api.send('POST', '/v1/availability?fresh=true', { attendees: body.attendees });
  const second = await world.startSecond();
  try {
    const elsewhere = createClient(second.baseUrl, platform.secret_key);
    await toNextMinute();
    const statuses: number[] = [];
    while (statuses.length < 70 && statuses.at(-1) !== 429) statuses.push((await elsewhere.calendars()).status);
    const over = await search();
    expect([over.status, callsOf(over, 'google')]).toEqual([429, 0]);
    const again = await search();
    expect([again.status, callsOf(again, 'neon')]).toEqual([429, 1]);
  } finally {
    await second.close();
  }
});
