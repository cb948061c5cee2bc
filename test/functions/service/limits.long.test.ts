import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { callsOf, toNextMinute } from '../../support/people/meetings.ts';
import { arrived, copyFailed, drain, emitOne, hookOf } from '../../support/people/webhooks.ts';
import { type Answer, createClient, freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/**
 * Checks that `limit` answers have the status and all others are 429. Requests that a slow Redis let through uncounted
 * may add to either.
 */
function expectLimited(answers: Answer[], { status, limit }: { status: number; limit: number }): void {
  const uncounted = answers.filter(({ headers }) => !headers.has('x-ratelimit-limit')).length;
  const passed = answers.filter((answer) => answer.status === status).length;
  expect(passed).toBeGreaterThanOrEqual(limit - uncounted);
  expect(passed).toBeLessThanOrEqual(limit + uncounted);
  expect(uncounted).toBeLessThan(limit / 2);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(answers.length - passed);
}

const statusesOf = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];
const queriesOf = (answers: Answer[]) => answers.reduce((sum, answer) => sum + callsOf(answer, 'neon'), 0);

interface Asked {
  times: number;
  key: () => string | undefined;
  address?: string;
  path?: string;
  method?: string;
}

/** Sends `times` requests from one address, a few at a time. */
async function ask({ times, key, address = freshAddress(), path = '/v1/calendars', method = 'GET' }: Asked) {
  const answers: Answer[] = [];
  const headers = { 'cf-connecting-ip': address };
  const lane = async () => {
    while (times-- > 0)
      answers.push(await createClient(world.baseUrl, key()).send(method, path, undefined, { headers }));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return answers;
}

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const madeUp = () => `sk_live_${random(32)}${randomBytes(5).toString('hex')}`;

describe('without a live key, sixty requests a minute by IP', async () => {
  const { publishable_key } = await freshPlatform();

  test.each([
    ['no key', 401, () => undefined],
    ['something that is no key', 401, () => 'secret'],
    ['a key of the right shape that was never made', 401, madeUp],
    ['a user key that was never made', 401, () => madeUp().replace('sk_live_', 'sk_user_')],
    ['a publishable key', 403, () => publishable_key],
  ])('%s is %i without a query', async (_name, status, key) => {
    await toNextMinute();
    const answers = await ask({ times: 66, key });
    expectLimited(answers, { status, limit: 60 });
    expect(queriesOf(answers)).toBe(0);
  });

  test('a revoked key is looked up once', async () => {
    const { id, secret_key } = await freshPlatform();
    await world.neon.query("update api_keys set revoked_at = now() where platform_id = $1 and kind = 'secret'", [id]);
    const first = await ask({ times: 1, key: () => secret_key });
    expect([statusesOf(first), queriesOf(first)]).toEqual([[401], 1]);
    await toNextMinute();
    const answers = await ask({ times: 70, key: () => secret_key });
    expectLimited(answers, { status: 401, limit: 60 });
    expect(queriesOf(answers)).toBe(0);
  });

  test.each(['/internal/run-job', '/internal/deliver-webhook'])('%s without the queue’s signature', async (path) => {
    await toNextMinute();
    const answers = await ask({ times: 65, key: () => undefined, path, method: 'POST' });
    expectLimited(answers, { status: 401, limit: 60 });
    expect(queriesOf(answers)).toBe(0);
  });

  test('an authorize link costs no query for a key that was never made', async () => {
    const path = `/v1/auth/calendar/authorize?platform_key=pk_live_${random(32)}0123456789&user_email=a@people.test`;
    const answers = await ask({ times: 1, key: () => undefined, path });
    expect([statusesOf(answers), queriesOf(answers)]).toEqual([[400], 0]);
  });

  test('an IPv6 customer is one caller, whatever address of the /64 is used', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}:1`;
    const next = network.replace(/1$/, '2');
    await toNextMinute();
    const answers: Answer[] = [];
    for (let at = 1; at <= 70; at += 1)
      answers.push(...(await ask({ times: 1, key: () => undefined, address: `${network}::${at}` })));
    expectLimited(answers, { status: 401, limit: 60 });
    expect(statusesOf(await ask({ times: 1, key: () => undefined, address: `${next}::1` }))).toEqual([401]);
  });

  test('holds nobody with a key up', async () => {
    const { secret_key } = await freshPlatform({ plan: 'enterprise' });
    const address = freshAddress();
    await toNextMinute();
    await ask({ times: 70, key: madeUp, address });
    expect(statusesOf(await ask({ times: 70, key: () => secret_key, address }))).toEqual([200]);
  });
});

describe('with a key, the plan’s requests a minute by owner', () => {
  test('the sixty-first is 429, says when, and from then on the whole budget is there', async () => {
    const { secret_key } = await freshPlatform({ plan: 'developer' });
    await toNextMinute();
    const answers = await ask({ times: 70, key: () => secret_key });
    expectLimited(answers, { status: 200, limit: 60 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual(
      wholeError({
        error: 'Rate limit exceeded',
        message: `You can send at most 60 requests per minute. Try again in ${refused?.headers.get('retry-after')} seconds.`,
        ...{ limit: 60, used: 60, resets_at: expect.any(String) },
      }),
    );
    const resetsAt = Date.parse((refused as Answer<{ resets_at: string }>).body.resets_at);
    expect(resetsAt % MINUTE).toBe(0);
    expect(Number(refused?.headers.get('x-ratelimit-reset'))).toBe(resetsAt / 1000);
    const waitedFor = world.clock.now() + Number(refused?.headers.get('retry-after')) * 1000;
    expect(waitedFor).toBeGreaterThanOrEqual(resetsAt);
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await world.advance(resetsAt - world.clock.now());
    expect(statusesOf(await ask({ times: 60, key: () => secret_key }))).toEqual([200]);
  });

  test('a new key is no new budget', async () => {
    const platform = await freshPlatform();
    const { email } = freshPerson();
    const newKey = async () => {
      const { page, browser } = await world.signIn(email);
      const made = await browser.submit(page, '/me/api-key');
      return /sk_user_[^<\s]+/.exec(made.html)?.[0] ?? '';
    };
    const { api_key: first } = await world.connect(platform, email);
    await world.advance(60 * MINUTE);
    const second = await newKey();
    await world.advance(60 * MINUTE);
    await toNextMinute();
    const fresh = { path: '/v1/user/preferences' };
    expect(statusesOf(await ask({ ...fresh, times: 3, key: () => first }))).toEqual([401]);
    expect(statusesOf(await ask({ ...fresh, times: 55, key: () => second }))).toEqual([200]);
    const third = await newKey();
    expectLimited(await ask({ ...fresh, times: 10, key: () => third }), { status: 200, limit: 5 });
  });

  test('a key of another kind counts against its owner too', async () => {
    const { secret_key } = await freshPlatform({ plan: 'developer' });
    await toNextMinute();
    const answers = await ask({ times: 70, key: () => secret_key, path: '/v1/user/info' });
    expectLimited(answers, { status: 403, limit: 60 });
  });

  test('enterprise has no limit and no headers of one', async () => {
    const { secret_key } = await freshPlatform({ plan: 'enterprise' });
    const answers = await ask({ times: 66, key: () => secret_key });
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers[0]?.headers.has('x-ratelimit-limit')).toBe(false);
  });

  test('of two hundred at once exactly sixty pass, and the others ask for nothing but their key', async () => {
    const platform = await freshPlatform({ plan: 'developer' });
    await platform.api.calendars();
    await toNextMinute();
    world.traffic.clear();
    const answers = await Promise.all(Array.from({ length: 200 }, () => platform.api.calendars()));
    expect(Map.groupBy(answers, ({ status }) => status).get(200)).toHaveLength(60);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(140);
    // One statement checks the key. Nothing else is asked for a request that is refused.
    expect(queriesOf(refused)).toBeLessThanOrEqual(140);
  });

  test.each(['reset', 'hang'] as const)('without Redis (%s) requests pass, without the headers', async (mode) => {
    const platform = await freshPlatform();
    world.faults.add({ target: 'redis', mode });
    const answer = await platform.api.status('nobody@people.test');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});

test('calls signed by the queue are not rate limited', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  await emitOne(platform);
  await drain(platform);
  await copyFailed(platform, 70);
  await toNextMinute();
  await hookOf(platform).replaySince({ since: '2026-01-01T00:00:00Z' });
  await drain(platform);
  expect(arrived(platform)).toHaveLength(1 + 71);
});
