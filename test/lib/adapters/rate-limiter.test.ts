import type { Redis } from '@upstash/redis/cloudflare';
import { afterEach, expect, test, vi } from 'vitest';
import { createRateLimiter } from '../../../lib/adapters/redis.ts';

afterEach(() => vi.restoreAllMocks());

const LOOKS = 10;

/** A Redis whose counts are answered one by one, and half seconds that pass when the test says so. */
function slowRedis() {
  const counts: ((answer: [used: number, limit: number]) => void)[] = [];
  const looks: (() => void)[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    looks.push(() => controller.abort());
    return controller.signal;
  });
  const redis = { evalsha: () => new Promise((resolve) => counts.push(resolve)) } as unknown as Redis;
  const logged: string[] = [];
  const limiter = createRateLimiter(
    () => redis,
    (_level, message) => logged.push(message),
  );
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    limiter,
    logged,
    async answer(used: number) {
      counts.shift()?.([used, 6]);
      await settle();
    },
    /** Lets everybody who waits look so many times. */
    async look(times: number) {
      for (; times > 0; times -= 1) {
        for (const look of looks.splice(0)) look();
        await settle();
      }
    },
  };
}

test('a count that is slow is waited for while Redis answers others', async () => {
  const { limiter, answer, look, logged } = slowRedis();
  const verdicts = Promise.all(Array.from({ length: 10 }, () => limiter.take('platform:a', 6)));
  await look(1);
  for (let used = 1; used <= 10; used += 1) {
    await answer(used);
    await look(LOOKS - 1);
  }
  expect((await verdicts).filter((verdict) => verdict?.allowed === true)).toHaveLength(6);
  expect((await verdicts).filter((verdict) => verdict?.allowed === false)).toHaveLength(4);
  expect(logged).toEqual([]);
});

test('half a second without any answer lets those who wait pass, and says so', async () => {
  const { limiter, answer, look, logged } = slowRedis();
  const verdicts = Promise.all([limiter.take('platform:b', 6), limiter.take('platform:b', 6)]);
  await answer(1);
  await look(LOOKS + 1);
  expect(await verdicts).toEqual([expect.objectContaining({ allowed: true, remaining: 5 }), undefined]);
  expect(logged).toEqual(['rate limit not counted']);
});

test('the late answer to a request that passed lets those who came after it wait', async () => {
  const { limiter, answer, look, logged } = slowRedis();
  const early = limiter.take('platform:c', 6);
  await look(LOOKS - 1);
  const late = limiter.take('platform:c', 6);
  await look(1);
  expect(await early).toBeUndefined();
  await answer(6);
  await look(LOOKS);
  await answer(7);
  expect(await late).toMatchObject({ allowed: false });
  expect(logged).toEqual(['rate limit not counted']);
});
