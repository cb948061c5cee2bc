import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { times } from '../../support/people/calendars.ts';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
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
    expect([refused.status, refused.body]).toEqual([
      429,
      wholeError({
        error: 'Too many regeneration attempts',
        message: expect.stringMatching(
          /^An API key can be replaced once an hour\. You can replace this API key again from \d\d:\d\d UTC on\.$/,
        ),
        limit: 1,
        used: 1,
        resets_at: expect.stringMatching(/Z$/),
      }),
    ]);
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
