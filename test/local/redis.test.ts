import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRedis, type RedisStandIn } from './redis.ts';
import { HOSTS } from './targets.ts';

const token = 'local-token';
const base = `https://${HOSTS.redis}`;
const redisUrl = process.env.TEST_REDIS_URL;
const backends: [string, { redisUrl?: string }][] = [
  ['ioredis-mock', {}],
  ...(redisUrl === undefined ? [] : [['Redis', { redisUrl }] satisfies [string, { redisUrl: string }]]),
];

describe.each(backends)('Upstash Redis over %s', (_name, backend) => {
  let stand: RedisStandIn;
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const redis = new Redis({ url: base, token, enableTelemetry: false });

  beforeAll(async () => {
    stand = await createRedis({ ...backend, token, clock });
  });
  beforeEach(() => {
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => stand.fetch(new Request(url, init)));
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await stand.flush();
  });
  afterAll(() => stand.close());

  const ask = (path: string, init: RequestInit = {}) =>
    Promise.resolve(stand.fetch(new Request(base + path, { headers: { authorization: `Bearer ${token}` }, ...init })));

  test('keeps values of every kind', async () => {
    await redis.set('text', 'héllo ✓');
    await redis.set('object', { slot: [1, 2], note: 'a "b"' });
    await redis.hset('hash', { name: 'Ana', age: 40 });
    expect(await redis.get('text')).toBe('héllo ✓');
    expect(await redis.get('object')).toEqual({ slot: [1, 2], note: 'a "b"' });
    expect(await redis.hgetall('hash')).toEqual({ name: 'Ana', age: 40 });
    expect(await redis.mget('text', 'absent')).toEqual(['héllo ✓', null]);
    expect(await redis.incrby('counter', 5)).toBe(5);
    expect(await redis.del('text', 'absent')).toBe(1);
    expect(await redis.getdel('counter')).toBe(5);
  });

  test('lists and scans only the keys of its own world', async () => {
    const other = await createRedis({ ...backend, token, clock });
    await redis.mset({ 'user:1': 'a', 'user:2': 'b', other: 'c' });
    const asked = new Request(base, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '["keys","*"]',
    });
    expect(await (await other.fetch(asked)).json()).toEqual({ result: [] });
    expect((await redis.keys('user:*')).sort()).toEqual(['user:1', 'user:2']);
    const [, scanned] = await redis.scan(0, { match: 'user:*', count: 100 });
    expect(scanned.sort()).toEqual(['user:1', 'user:2']);
    await other.close();
    expect(await redis.dbsize()).toBe(3);
    await redis.flushdb();
    expect(await redis.dbsize()).toBe(0);
  });

  test('sets a key only once with nx and an expiry', async () => {
    expect(await redis.set('once', 'first', { nx: true, px: 60_000 })).toBe('OK');
    expect(await redis.set('once', 'second', { nx: true, px: 60_000 })).toBeNull();
    expect(await redis.get('once')).toBe('first');
    expect(await redis.pttl('once')).toBeGreaterThan(0);
  });

  test('lets one of fifty concurrent setters win', async () => {
    const setters = Array.from({ length: 50 }, (_, n) => redis.set('lock', n, { nx: true, ex: 60 }));
    expect((await Promise.all(setters)).filter((answer) => answer === 'OK')).toHaveLength(1);
  });

  test('expires keys when the clock of the world jumps', async () => {
    await redis.set('day', 1, { ex: 86_400 });
    await redis.set('week', 1, { ex: 7 * 86_400 });
    await redis.set('ever', 1);
    ahead += 86_400_000;
    expect(await redis.mget('day', 'week', 'ever')).toEqual([null, 1, 1]);
    expect(await redis.incr('day')).toBe(1);
    expect(await redis.set('week', 2, { nx: true })).toBeNull();
  });

  test('runs a pipeline with a failing command in it', async () => {
    const pipeline = redis.pipeline();
    pipeline.set('a', 'word');
    pipeline.evalsha('0'.repeat(40), [], []);
    pipeline.get('a');
    const [set, script, get] = await pipeline.exec({ keepErrors: true });
    expect(set).toMatchObject({ result: 'OK' });
    expect(script).toMatchObject({ error: expect.stringContaining('NOSCRIPT') });
    expect(get).toMatchObject({ result: 'word' });
  });

  test('runs a transaction with nothing in between', async () => {
    const rounds = Array.from({ length: 20 }, () => {
      const multi = redis.multi();
      multi.incr('n');
      multi.incr('n');
      return multi.exec<[number, number]>();
    });
    for (const [first, second] of await Promise.all(rounds)) expect(second).toBe(first + 1);
    expect(await redis.get('n')).toBe(40);
  });

  test('knows a script only after it was sent, by the hash of its exact text', async () => {
    const text = `#!lua flags=allow-key-locking\nreturn {KEYS[1], ARGV[1], redis.call('INCRBY', KEYS[2], ARGV[2])}`;
    await expect(redis.evalsha('0'.repeat(40), [], [])).rejects.toThrow('NOSCRIPT');
    const sha = await redis.scriptLoad(text);
    const [key, arg, sum] = await redis.evalsha<(string | number)[], [string, string, number]>(
      sha,
      ['label', 'sum'],
      ['x', 3],
    );
    expect({ arg, sum }).toEqual({ arg: 'x', sum: 3 });
    expect(key).toMatch(/label$/);
    expect(await redis.get('sum')).toBe(3);
    expect(await redis.scriptExists(sha, 'unknown')).toEqual([1, 0]);
  });

  // Windows start with the clock's own units; a day's border hardly ever falls into the burst.
  test.each([
    ['a sliding window', Ratelimit.slidingWindow(50, '1 d')],
    ['a fixed window', Ratelimit.fixedWindow(50, '1 d')],
  ])('%s of fifty lets exactly fifty of two hundred concurrent calls through', async (_limit, limiter) => {
    const ratelimit = new Ratelimit({ redis, limiter, timeout: 15_000 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ratelimit.limit('platform')));
    expect(answers.filter(({ success }) => success)).toHaveLength(50);
    expect(answers[0]).toMatchObject({ limit: 50 });
    expect(await ratelimit.getRemaining('platform')).toMatchObject({ remaining: 0 });
  });

  test('answers strings in base64 only when asked, and a sync token always', async () => {
    await redis.set('k', 'value');
    const body = '["get","k"]';
    const headers = { authorization: `Bearer ${token}` };
    const plain = await ask('/', { method: 'POST', body, headers });
    expect(await plain.json()).toEqual({ result: 'value' });
    expect(plain.headers.get('upstash-sync-token')).toMatch(/./);
    const encoded = await ask('/', { method: 'POST', body, headers: { ...headers, 'upstash-encoding': 'base64' } });
    expect(await encoded.json()).toEqual({ result: 'dmFsdWU=' });
  });

  test('takes a command written as a path', async () => {
    await ask('/set/greeting/hello%20you?EX=100');
    expect(await (await ask('/get/greeting')).json()).toEqual({ result: 'hello you' });
    await ask('/set/posted', { method: 'POST', body: 'the body' });
    expect(await redis.get('posted')).toBe('the body');
  });

  test.each([
    ['a wrong token', '/', { method: 'POST', headers: { authorization: 'Bearer no' }, body: '["ping"]' }, 401],
    ['another method', '/', { method: 'PUT', body: '["ping"]' }, 405],
    ['a body that is no JSON', '/', { method: 'POST', body: '{' }, 400],
    ['an empty command', '/', { method: 'POST', body: '[]' }, 400],
    ['an unknown command', '/', { method: 'POST', body: '["fly"]' }, 400],
    ['a blocking command', '/', { method: 'POST', body: '["blpop","k",0]' }, 400],
    ['a pipeline that is no list', '/pipeline', { method: 'POST', body: '{}' }, 400],
  ])('refuses %s', async (_name, path, init, status) => {
    const answer = await ask(path, init);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  });
});
