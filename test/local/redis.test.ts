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

  test('knows the keys of its own world alone', async () => {
    const other = await createRedis({ ...backend, token, clock });
    await redis.set('user:1', 'a');
    const asked = new Request(base, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '["get","user:1"]',
    });
    expect(await (await other.fetch(asked)).json()).toEqual({ result: null });
    await other.close();
    expect(await redis.get('user:1')).toBe('a');
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

  test.each([
    ['a wrong token', '/', { method: 'POST', headers: { authorization: 'Bearer no' }, body: '["ping"]' }, 401],
    ['another method', '/', { method: 'PUT', body: '["ping"]' }, 405],
    ['a body that is no JSON', '/', { method: 'POST', body: '{' }, 400],
    ['an empty command', '/', { method: 'POST', body: '[]' }, 400],
    ['an unknown command', '/', { method: 'POST', body: '["fly"]' }, 400],
    ['a pipeline that is no list', '/pipeline', { method: 'POST', body: '{}' }, 400],
  ])('refuses %s', async (_name, path, init, status) => {
    const answer = await ask(path, init);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  });
});
