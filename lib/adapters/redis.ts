import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis/cloudflare';
import * as z from 'zod';
import type { AnswerStore, Log, NonceStore, RateLimiter } from '../ports.ts';

const TIMEOUT_MS = 500;

/** Upstash Redis with one attempt of 500 ms per call: slow is as good as down. */
export function connectRedis({ url, token, requestId }: { url: string; token: string; requestId: string }): Redis {
  const redis = new Redis({
    url,
    token,
    enableTelemetry: false,
    retry: { retries: 0 },
    // As a function: an expired signal given as an object resolves with a made-up answer.
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    automaticDeserialization: false,
  });
  // The client has no option for headers; its transport keeps them on a plain record.
  const { client } = redis as unknown as { client: { headers: Record<string, string> } };
  client.headers['X-Request-Id'] = requestId;
  return redis;
}

/** A fixed window of a minute per id; when Redis is down or slow the request passes and the log says so. */
export function createRateLimiter(redis: Redis, log: Log): RateLimiter {
  return {
    async take(id, perMinute) {
      try {
        const limiter = new Ratelimit({
          redis,
          limiter: Ratelimit.fixedWindow(perMinute, '60 s'),
          prefix: 'rate',
          ephemeralCache: false,
          timeout: 0,
        });
        const { success, limit, remaining, reset } = await limiter.limit(id);
        return { allowed: success, limit, remaining: Math.max(0, remaining), resetAt: reset };
      } catch (error) {
        log('warn', 'rate limit not counted', { error });
        return undefined;
      }
    },
  };
}

/** Values taken once, and claims of one holder. */
export function createNonceStore(redis: Redis): NonceStore {
  return {
    async put(key, value, ttlSeconds) {
      await redis.set(`nonce:${key}`, value, { ex: ttlSeconds });
    },
    take: (key) => redis.getdel<string>(`nonce:${key}`),
    async claim(key, holder, ttlSeconds) {
      const claimed = redis.pipeline().set(`claim:${key}`, holder, { nx: true, ex: ttlSeconds });
      const [, held] = await claimed.get<string>(`claim:${key}`).exec();
      return held === holder;
    },
  };
}

const KeptAnswer = z.object({ fingerprint: z.string(), status: z.int(), body: z.string() });

/** Answers under their idempotency keys; a store that is down or holds something else has none. */
export function createAnswerStore(redis: Redis, log: Log): AnswerStore {
  return {
    async find(key) {
      try {
        const text = await redis.get<string>(`answer:${key}`);
        return text === null ? undefined : KeptAnswer.parse(JSON.parse(text));
      } catch (error) {
        log('warn', 'kept answer not read', { error });
        return undefined;
      }
    },
    async keep(key, answer, ttlSeconds) {
      try {
        await redis.set(`answer:${key}`, JSON.stringify(answer), { ex: ttlSeconds });
      } catch (error) {
        log('warn', 'answer not kept', { error });
      }
    },
  };
}
