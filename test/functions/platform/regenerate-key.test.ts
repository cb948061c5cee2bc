import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { sha256 } from '../../../lib/kit/ids.ts';
import { flatRefusal, NOT_VALID } from '../../support/checks/errors.ts';
import { times } from '../../support/people/calendars.ts';
import { atDashboard, auditOf, headingOf, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, personWithKey, type TestPlatform } from '../../support/people/factories.ts';
import { inHours, iso, seen } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
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
    make: async () => (await personWithKey(await freshPlatform())).key,
  },
};

const ROTATION = '0b9f6c1e-52d4-4f0e-9a37-6a1f5f8f2b7d';
const REPLACED = { status: 403, body: { message: expect.stringContaining('This API key was replaced.') } };
const REUSED = { status: 422, body: { code: 'idempotency_key_reused' } };

const COMMIT = { target: 'neon' as const, body_match: 'insert into \\\\"api_keys' };

describe.each(Object.entries(KINDS))('%s', (route, { shape, reads, make }) => {
  const path = route.split(' ')[1] ?? '';
  const regenerate = (key: string, body?: unknown, idempotencyKey?: string) =>
    createClient(world.baseUrl, key).send('POST', path, body, {
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    });
  const statusOf = async (key: string) => (await createClient(world.baseUrl, key).send('GET', reads)).status;
  const keyOf = ({ body }: { body: unknown }) => (body as { api_key: string }).api_key;

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
    expect(seen(await regenerate(old))).toEqual(NOT_VALID);
    const stored = JSON.stringify(await world.neon.query('select * from api_keys where revoked_at is null'));
    expect(stored).not.toContain(key);
  });

  test('is refused a second time within the hour, to the second, and the key stays', async () => {
    const key = keyOf(await regenerate(await make()));
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

  test('keeps the old key for the hours asked for, and says until when', async () => {
    const old = await make();
    const answer = await regenerate(old, { keep_old_for_hours: 3 });
    const { old_key_valid_until: until, message } = answer.body as Record<string, string>;
    expect([answer.status, message]).toEqual([
      200,
      'Store this key now, because it is not shown again. The previous key still works until the time in old_key_valid_until.',
    ]);
    expect(Math.abs(Date.parse(until ?? '') - world.clock.now() - 3 * HOUR)).toBeLessThan(60_000);
    const key = keyOf(answer);
    expect([await statusOf(old), await statusOf(key)]).toEqual([200, 200]);
    await world.advance(3 * HOUR);
    expect([await statusOf(old), await statusOf(key)]).toEqual([401, 200]);
  });

  test('refuses a misspelled field, and other hours to keep it than 1 to 72, and changes nothing', async () => {
    const old = await make();
    const bodies = [{ keepOldForHours: 24 }, ...[0, 73, 1.5, '24'].map((hours) => ({ keep_old_for_hours: hours }))];
    for (const body of bodies)
      expect(await regenerate(old, body)).toMatchObject({ status: 400, body: { field: Object.keys(body)[0] } });
    expect(await statusOf(old)).toBe(200);
  });

  test('with an Idempotency-Key shows the same new key to every retry with the kept one', async () => {
    const old = await make();
    const [first, again] = [
      await regenerate(old, { keep_old_for_hours: 24 }, ROTATION),
      await regenerate(old, { keep_old_for_hours: 24 }, `"${ROTATION}"`),
    ];
    expect([again.status, keyOf(again)]).toEqual([200, keyOf(first)]);
    expect((await regenerate(old, { keep_old_for_hours: 24 }, crypto.randomUUID())).status).toBe(403);
    expect((await regenerate(old, { keep_old_for_hours: 24 })).status).toBe(403);
    for (const body of [{ keep_old_for_hours: 23 }, {}])
      expect(await regenerate(old, body, ROTATION)).toMatchObject(REUSED);
    expect(await statusOf(keyOf(first))).toBe(200);
  });

  test('with an Idempotency-Key sent twice in one millisecond makes one key, and one entry in the audit log', async () => {
    const old = await make();
    const again = () => regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    const [former, hash] = [await sha256(old), await sha256(keyOf(await again()))];
    // The second request reads the clock later than the first, so the first one is moved to its millisecond.
    const send = world.neon.fetch;
    world.neon.fetch = async (sent) => {
      const text = await sent.clone().text();
      const instants = [...text.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([instant]) => instant);
      const now = instants.find((instant) => Math.abs(Date.parse(instant) - world.clock.now()) < MINUTE);
      if (text.includes('insert into \\"api_keys') && now !== undefined)
        for (const [column, own, hours] of [
          ['created_at', hash, 0],
          ['revoked_at', former, 24],
        ])
          await world.neon.query(
            `update api_keys set ${column} = $2::timestamptz + interval '${hours} hours' where hash = $1`,
            [own, now],
          );
      return send(sent);
    };
    try {
      expect((await again()).status).toBe(200);
    } finally {
      world.neon.fetch = send;
    }
    const entries = await world.neon.query(
      `select l.action from audit_log l join api_keys k on l.platform_id is not distinct from k.platform_id
        and l.user_id is not distinct from k.user_id and l.details ->> 'key' = k.masked where k.hash = $1`,
      [hash],
    );
    expect(entries).toHaveLength(1);
  });

  test('refuses a guessable Idempotency-Key, and changes nothing', async () => {
    const old = await make();
    const notRandom = ['00000000-0000-0000-0000-000000000001', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'];
    for (const guessable of ['rotation-1', '1', ...notRandom, 'a'.repeat(64)])
      expect(await regenerate(old, { keep_old_for_hours: 24 }, guessable)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', field: 'Idempotency-Key' },
      });
    expect((await regenerate(old, { keep_old_for_hours: 24 }, ROTATION)).status).toBe(200);
  });

  test('leaves the kept key unable to make another, and the new one is shown for ten minutes', async () => {
    const old = await make();
    const next = keyOf(await regenerate(old, { keep_old_for_hours: 24 }, ROTATION));
    const again = () => regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    await world.advance(9 * MINUTE);
    expect(keyOf(await again())).toBe(next);
    await world.advance(2 * MINUTE);
    expect(await again()).toMatchObject(REUSED);
    await world.advance(HOUR);
    expect((await regenerate(old, { keep_old_for_hours: 24 }, crypto.randomUUID())).status).toBe(403);
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);
    await world.advance(23 * HOUR);
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 200]);
  });

  test('whose database answer is lost once still shows the key', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after', times: 1 });
    const answer = await regenerate(old);
    expect(answer.status).toBe(200);
    expect([await statusOf(old), await statusOf(keyOf(answer))]).toEqual([401, 200]);
  });

  test('whose database answer is lost for good says what to do, and loses nothing with a kept key', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after' });
    const failed = await regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    expect([failed.status, failed.body]).toMatchObject([
      500,
      {
        code: 'internal_error',
        message: expect.stringMatching(
          /^The database did not answer, so the API key may have been replaced\. Your current API key still works\. To get the new key, try again with the same Idempotency-Key\. The request ID is /,
        ),
      },
    ]);
    world.faults.clear();
    const again = await regenerate(old, { keep_old_for_hours: 24 }, ROTATION);
    expect([again.status, await statusOf(old), await statusOf(keyOf(again))]).toEqual([200, 200, 200]);
  });

  test('whose database answer is lost for good without a kept key says who can help', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'after' });
    const { status, body } = await regenerate(old);
    expect([status, body]).toMatchObject([500, { message: expect.stringContaining("can reissue a platform's key") }]);
    world.faults.clear();
    expect(await statusOf(old)).toBe(401);
  });

  test('that the database did not take changes nothing, and a retry works', async () => {
    const old = await make();
    world.faults.add({ ...COMMIT, mode: 'reset' });
    expect((await regenerate(old)).status).toBe(500);
    world.faults.clear();
    expect(await statusOf(old)).toBe(200);
    expect((await regenerate(old)).status).toBe(200);
  });
});

test('a platform keeps its publishable key, its limit of the minute and all it has', async () => {
  const platform = await freshPlatform({ plan: 'developer' });
  const { email } = await connectedPerson(platform);
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

/** Replaces a platform's key and keeps the old one, which `platform.api` goes on to use. */
async function replaced() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const headers = { 'Idempotency-Key': ROTATION };
  const made = await platform.api.send('POST', '/v1/platform/regenerate-key', { keep_old_for_hours: 72 }, { headers });
  return { platform, next: createClient(world.baseUrl, (made.body as { api_key: string }).api_key) };
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

  test('ends when the key after it is replaced, which alone is kept then', async () => {
    const { platform, next } = await replaced();
    await world.advance(2 * HOUR);
    const made = await next.send('POST', '/v1/platform/regenerate-key', { keep_old_for_hours: 24 });
    expect(made.status).toBe(200);
    expect([(await platform.api.calendars()).status, (await next.calendars()).status]).toEqual([401, 200]);
  });

  test('of a person changes no preference and deletes nothing', async () => {
    const platform = await freshPlatform();
    const { own } = await personWithKey(platform);
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
      { headers: { Accept: 'application/json, text/event-stream' } },
    );
    expect(answer.text).toContain('This API key was replaced.');
  });
});
