import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis/cloudflare';
import * as z from 'zod';
import { HOUR } from '../engine/time/dates.ts';
import type { AnswerStore, Log, NonceStore, RateLimiter, Vitals } from '../kit/ports.ts';

const TIMEOUT_MS = 500;
/**
 * Longest wait for a rate limit count from Redis. A slow Redis gets this long, because requests would otherwise pass
 * without any limit.
 */
export const COUNT_TIMEOUT_MS = 5_000;

/**
 * Connects to Upstash Redis. Each call gets one attempt, of 500 ms unless the caller says otherwise, because a slow
 * answer is mostly as useless as no answer.
 */
export function connectRedis({
  url,
  token,
  requestId,
  timeoutMs = TIMEOUT_MS,
}: {
  url: string;
  token: string;
  requestId: string;
  timeoutMs?: number;
}): Redis {
  const redis = new Redis({
    url,
    token,
    enableTelemetry: false,
    retry: { retries: 0 },
    // The signal must come from a function. Given as an object, an expired signal makes the client resolve with an
    // invented answer.
    signal: () => AbortSignal.timeout(timeoutMs),
    automaticDeserialization: false,
  });
  // The client has no option for headers. Its transport keeps them on a plain record.
  const { client } = redis as unknown as { client: { headers: Record<string, string> } };
  client.headers['X-Request-Id'] = requestId;
  return redis;
}

/**
 * Creates a rate limiter that counts the requests of each caller in fixed windows of one minute. It waits for the count
 * as long as Redis keeps answering the counts of any requests in this isolate. If Redis is down, or answers none of
 * them for 500 ms, the request passes and a log line records it. The timeout of `redis` must be longer than 500 ms.
 */
export function createRateLimiter(redis: Redis, log: Log): RateLimiter {
  return {
    async take(id, perMinute) {
      const limiter = new Ratelimit({
        redis,
        limiter: Ratelimit.fixedWindow(perMinute, '60 s'),
        prefix: 'rate',
        ephemeralCache: false,
        timeout: 0,
      });
      // An answer shows that Redis is up, even if the request that asked for it no longer waits.
      const counted = limiter.limit(id).then((verdict) => {
        answers++;
        return verdict;
      });
      const quiet = silence();
      try {
        const { success, limit, remaining, reset } = await Promise.race([counted, quiet.begins]);
        return { allowed: success, limit, remaining: Math.max(0, remaining), resetAt: reset };
      } catch (error) {
        log('warn', 'rate limit not counted', { error });
        return undefined;
      } finally {
        quiet.stop();
      }
    },
  };
}

/** Number of counts that Redis has answered in this isolate. */
let answers = 0;

/** Number of times that `silence` looks for an answer within `TIMEOUT_MS`. */
const LOOKS = 10;

/**
 * Starts to watch for counts that Redis answers. The promise `begins` rejects once Redis has answered no count in this
 * isolate for 500 ms. `stop` ends the watch. The watch looks often in the 500 ms, and each look gives a busy isolate
 * another turn to read the answers that have arrived.
 */
function silence() {
  let isOver = false;
  async function listen(): Promise<never> {
    for (let [looks, heard] = [0, answers]; looks < LOOKS && !isOver; ) {
      await new Promise((resolve) => AbortSignal.timeout(TIMEOUT_MS / LOOKS).addEventListener('abort', resolve));
      looks = answers === heard ? looks + 1 : 0;
      heard = answers;
    }
    throw new Error(`Redis answered no count for ${TIMEOUT_MS} ms`);
  }
  const begins = listen();
  begins.catch(() => undefined);
  return {
    begins,
    stop() {
      isOver = true;
    },
  };
}

/** Creates a Redis store for single-use values, and for keys that belong to the first holder who asks for them. */
export function createNonceStore(redis: Redis): NonceStore {
  return {
    async put(key, value, ttlSeconds) {
      await redis.set(`nonce:${key}`, value, { ex: ttlSeconds });
    },
    take: (key) => redis.getdel<string>(`nonce:${key}`),
    async bind(key, holder, ttlSeconds) {
      const bound = redis.pipeline().set(`claim:${key}`, holder, { nx: true, ex: ttlSeconds });
      const [, held] = await bound.get<string>(`claim:${key}`).exec();
      return held === holder;
    },
  };
}

const KeptAnswer = z.object({ fingerprint: z.string(), status: z.int(), body: z.string() });

/**
 * Creates a Redis cache of API answers under their idempotency keys. If Redis is down, or holds malformed data under a
 * key, the cache finds no answer.
 */
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

const TICK = 'vitals:tick';
/**
 * Expiry in seconds of the counter of each hour's searches. It is longer than the two hours whose counters `read` adds
 * up.
 */
const COUNTED_FOR_SECONDS = 3 * 3_600;

const counter = (source: 'snapshot' | 'live', hour: number) => `vitals:searches:${source}:${hour}`;

/**
 * Creates the store of figures about the service itself in Redis: the time of the last finished run of the background
 * sweep, and each hour's searches by calendar source, snapshot or live read.
 */
export function createVitals(redis: Redis, log: Log): Vitals {
  return {
    async noteTick(at) {
      try {
        await redis.set(TICK, String(at));
      } catch (error) {
        log('warn', 'the end of a tick was not noted', { error });
      }
    },
    async noteSearch(at, source) {
      const key = counter(source, Math.floor(at / HOUR));
      try {
        await redis.pipeline().incr(key).expire(key, COUNTED_FOR_SECONDS).exec();
      } catch (error) {
        log('warn', 'a search was not counted', { error });
      }
    },
    async read(now) {
      const hour = Math.floor(now / HOUR);
      const hours = [hour - 1, hour];
      const snapshots = hours.map((one) => counter('snapshot', one));
      const lives = hours.map((one) => counter('live', one));
      const [tick, ...counts] = await redis.mget<(string | null)[]>(TICK, ...snapshots, ...lives);
      const sum = (from: number) => counts.slice(from, from + hours.length).reduce((all, one) => all + Number(one), 0);
      return {
        lastTickAt: typeof tick === 'string' ? Number(tick) : undefined,
        searches: { since: (hour - 1) * HOUR, snapshot: sum(0), live: sum(hours.length) },
      };
    },
  };
}
