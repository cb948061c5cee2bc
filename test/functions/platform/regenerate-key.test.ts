import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { flatRefusal, wholeError } from '../../support/checks/errors.ts';
import { times } from '../../support/people/calendars.ts';
import { atDashboard, auditOf, headingOf, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { inHours, iso, seen } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const KINDS = {
  'POST /v1/platform/regenerate-key': {
    shape: /^sk_live_[\w-]{43}[0-9a-f]{10}$/,
    reads: '/v1/calendars',
    make: async () => (await freshPlatform({ plan: 'enterprise' })).secret_key,
  },
  'POST /v1/user/api-key/regenerate': {
    shape: /^sk_user_[\w-]{43}[0-9a-f]{10}$/,
    reads: '/v1/user/preferences',
    make: async () => (await world.connect(await freshPlatform(), freshPerson().email)).api_key,
  },
};

describe.each(Object.entries(KINDS))('%s', (route, { shape, reads, make }) => {
  const regenerate = (key: string) => createClient(world.baseUrl, key).send('POST', route.split(' ')[1] ?? '');
  const statusOf = async (key: string) => (await createClient(world.baseUrl, key).send('GET', reads)).status;
  const made = async (key: string) => ((await regenerate(key)).body as { api_key: string }).api_key;

  test('answers a new key once, and the old one is dead at once', async () => {
    const old = await make();
    const answer = await regenerate(old);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        api_key: expect.stringMatching(shape),
        message: 'Store this key now, because it is not shown again. The previous key no longer works.',
      },
    ]);
    const { api_key: key } = answer.body as { api_key: string };
    expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
    expect((await regenerate(old)).body).toEqual(
      wholeError({
        error: 'Unauthorized',
        message:
          'The API key in the header Authorization is not valid. Send the whole key, and check that it was not replaced or revoked.',
      }),
    );
    const stored = JSON.stringify(await world.neon.query('select * from api_keys where revoked_at is null'));
    expect(stored).not.toContain(key);
  });

  test('is refused a second time within the hour, to the second, and the key stays', async () => {
    const key = await made(await make());
    const refused = await regenerate(key);
    const { resets_at: resetsAt } = refused.body as { resets_at: string };
    expect(seen(refused)).toEqual(
      flatRefusal(429, 'Too many regeneration attempts', {
        message: expect.stringMatching(
          /^An API key can be replaced once an hour\. You can replace this API key again from \d\d:\d\d UTC on\.$/,
        ),
        limit: 1,
        used: 1,
        resets_at: expect.stringMatching(/Z$/),
      }),
    );
    expect(await statusOf(key)).toBe(200);
    const left = Date.parse(resetsAt) - world.clock.now();
    expect(left).toBeGreaterThan(HOUR - 60_000);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(left / 1_000));
    await world.advance(left - 60_000);
    expect((await regenerate(key)).status).toBe(429);
    await world.advance(61_000);
    const next = await regenerate(key);
    expect(next.status).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });

  test('goes in once, however many race, and one key is alive after it', async () => {
    const key = await make();
    const answers = await times(8, () => regenerate(key));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).every(({ status }) => [401, 429].includes(status))).toBe(
      true,
    );
    const alive = won.map(({ body }) => (body as { api_key: string }).api_key);
    expect(await Promise.all([key, ...alive].map(statusOf))).toEqual([401, 200]);
  });
});

test('a platform keeps its publishable key, its limit of the minute and all it has', async () => {
  const platform = await freshPlatform({ plan: 'developer' });
  const { email } = freshPerson();
  await world.connectCalendar(platform, email);
  const first = await platform.api.send('POST', '/v1/platform/regenerate-key');
  const { api_key: key } = first.body as { api_key: string };
  const next = await createClient(world.baseUrl, key).send('GET', '/v1/platform/users');
  expect(next.body).toMatchObject({ users: [{ email }] });
  const left = (answer: typeof first) => Number(answer.headers.get('x-ratelimit-remaining'));
  const isSameMinute = first.headers.get('x-ratelimit-reset') === next.headers.get('x-ratelimit-reset');
  expect(left(next)).toBe(isSameMinute ? left(first) - 1 : 59);
  const link = await createClient(world.baseUrl, key).oauthUrl(email);
  expect(link.body).toMatchObject({ oauth_url: expect.stringContaining(platform.publishable_key) });
});

const THIEF = 'https://inbox.platform.test/thief';

const rowsOf = ({ id }: TestPlatform) =>
  world.neon.query(
    `select p.redirect_uris, p.on_decline, w.url, w.secret, w.max_retries from platforms p
    join webhook_endpoints w on w.platform_id = p.id where p.id = $1`,
    [id],
  );

/** Replaces the platform's key while a request waits at the batch that makes its change. */
async function replaceMeanwhile<T>(platform: TestPlatform, table: string, change: () => Promise<T>): Promise<T> {
  const held = hold({ target: 'neon', body_match: `(update|insert into) \\\\?"${table}`, times: 1 });
  const changing = change();
  await met(held);
  const { status } = await platform.api.send('POST', '/v1/platform/regenerate-key');
  expect(status).toBe(200);
  world.faults.clear();
  return changing;
}

test.each([
  ['the settings', 'PUT', '/v1/platform/settings', { on_decline: 'cancel', redirect_uris: [THIEF] }, 'platforms'],
  ['the webhook URL in the settings', 'PUT', '/v1/platform/settings', { webhook_url: THIEF }, 'webhook_endpoints'],
  ['the webhook URL', 'PUT', '/v1/platform/webhook', { url: THIEF }, 'webhook_endpoints'],
  ['the options of the webhook', 'PUT', '/v1/platform/webhook', { max_retries: 1 }, 'webhook_endpoints'],
  ['the webhook secret', 'POST', '/v1/platform/webhook/rotate-secret', undefined, 'webhook_endpoints'],
] as const)('a key that is replaced meanwhile does not change %s', async (_name, method, path, body, table) => {
  const platform = await freshPlatform();
  const before = await rowsOf(platform);
  const refused = await replaceMeanwhile(platform, table, () => platform.api.send(method, path, body));
  expect([refused.status, refused.body]).toMatchObject([401, { code: 'unauthorized' }]);
  expect(await rowsOf(platform)).toEqual(before);
  expect(await auditOf('platform_id', platform.id)).toEqual(['key.replaced by key']);
});

test('a dashboard session that is ended meanwhile does not change the webhook', async () => {
  const platform = await freshPlatform();
  const before = await rowsOf(platform);
  const { browser } = await atDashboard(platform);
  const page = await visit(browser, '/dashboard/webhooks/endpoint');
  const answer = await replaceMeanwhile(platform, 'webhook_endpoints', () =>
    browser.submit(page, '/webhooks/endpoint', { url: THIEF }),
  );
  expect([answer.status, headingOf(answer)]).toEqual([401, 'You are not signed in']);
  expect(await rowsOf(platform)).toEqual(before);
});

const ROTATION = '0b9f6c1e-52d4-4f0e-9a37-6a1f5f8f2b7d';

const REPLACED = { status: 403, body: { message: expect.stringContaining('This API key was replaced.') } };

/** Replaces a platform's key and keeps the old one, which `platform.api` goes on to use. */
async function replaced() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const again = (body: object = { keep_old_for_hours: 72 }, key = ROTATION) =>
    platform.api.send('POST', '/v1/platform/regenerate-key', body, { headers: { 'Idempotency-Key': key } });
  const made = await again();
  const { api_key } = made.body as { api_key: string };
  return { platform, again, made, next: createClient(world.baseUrl, api_key), api_key };
}

describe('a key that was replaced and is kept', () => {
  test('reads and books', async () => {
    const { platform } = await replaced();
    const people = [await connectedPerson(platform), await connectedPerson(platform)];
    const attendees = people.map(({ email }) => email);
    expect((await platform.api.calendars()).status).toBe(200);
    const body = { attendees, start_time: iso(inHours(48)), duration_minutes: 30, title: 'Booked' };
    expect((await platform.api.schedule(body)).status).toBe(200);
  });

  test.each<[string, string, object?]>([
    ['POST', '/v1/platform/regenerate-key'],
    ['POST', '/v1/platform/dashboard-link'],
    ['PUT', '/v1/platform/settings', { redirect_uris: ['https://a.example/x'] }],
    ['PUT', '/v1/platform/webhook', { url: 'https://a.example/x' }],
    ['POST', '/v1/platform/webhook/rotate-secret'],
    ['POST', '/v1/platform/webhook/test'],
    ['DELETE', '/v1/calendars/somebody@people.test'],
  ])('cannot %s %s', async (method, path, body) => {
    const { platform, next } = await replaced();
    expect(await platform.api.send(method, path, body)).toMatchObject(REPLACED);
    expect((await next.calendars()).status).toBe(200);
  });

  test('gets the new key again for ten minutes, and never for another body', async () => {
    const { made, again, api_key } = await replaced();
    expect((await again()).body).toEqual(made.body);
    for (const body of [{ keep_old_for_hours: 71 }, {}])
      expect(await again(body)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await again({ keep_old_for_hours: 72 }, crypto.randomUUID())).toMatchObject(REPLACED);
    await world.advance(9 * 60_000);
    expect((await again()).body).toMatchObject({ api_key });
    await world.advance(2 * 60_000);
    const late = await again();
    expect([late.status, late.text.includes(api_key)]).toEqual([422, false]);
    await world.advance(2 * 3_600_000);
    expect(await again({ keep_old_for_hours: 72 }, crypto.randomUUID())).toMatchObject(REPLACED);
  });

  test('of a person changes no preference and deletes nothing', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    const { api_key } = await world.connect(platform, email);
    const own = createClient(world.baseUrl, api_key);
    const headers = { 'Idempotency-Key': ROTATION };
    const made = await own.send('POST', '/v1/user/api-key/regenerate', { keep_old_for_hours: 72 }, { headers });
    expect(made.status).toBe(200);
    expect((await own.send('GET', '/v1/user/preferences')).status).toBe(200);
    expect(await own.send('PUT', '/v1/user/preferences', { buffer_minutes: 5 })).toMatchObject(REPLACED);
    expect(await own.send('DELETE', '/v1/user')).toMatchObject(REPLACED);
    const call = { name: 'update_preferences', arguments: { buffer_minutes: 5 } };
    const answer = await own.send(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      {
        headers: { Accept: 'application/json, text/event-stream' },
      },
    );
    expect(answer.text).toContain('This API key was replaced.');
  });
});
