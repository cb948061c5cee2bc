import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis/cloudflare';
import * as z from 'zod';
import { HOUR } from '../engine/time/dates.ts';
import type { AnswerStore, Log, NonceStore, PlatformDay, RateLimiter, Vitals } from '../kit/ports.ts';

const TIMEOUT_MS = 500;
/** A slow Redis gets this long for what no request can do without. */
export const PATIENT_TIMEOUT_MS = 5_000;

/**
 * Connects when first called: many requests need no Redis, and connecting is expensive. A call gets one attempt of
 * 500 ms unless the caller says otherwise, because a slow answer is mostly as useless as none.
 */
export function connectRedis(options: RedisOptions): () => Redis {
  let redis: Redis | undefined;
  return () => {
    redis ??= createRedis(options);
    return redis;
  };
}

type RedisOptions = { url: string; token: string; requestId: string; timeoutMs?: number };

function createRedis({ url, token, requestId, timeoutMs = TIMEOUT_MS }: RedisOptions): Redis {
  const redis = new Redis({
    url,
    token,
    enableTelemetry: false,
    retry: { retries: 0 },
    // This must be a function: with a signal itself, the client answers a timed-out call with an invented result.
    signal: () => AbortSignal.timeout(timeoutMs),
    automaticDeserialization: false,
  });
  // The Redis client has no option for headers. But its transport sends every header in this plain object.
  const { client } = redis as unknown as { client: { headers: Record<string, string> } };
  client.headers['X-Request-Id'] = requestId;
  return redis;
}

/**
 * Creates a rate limiter that counts each caller's requests in windows of one minute, in Redis. A slow count is awaited
 * as long as Redis still answers counts of other requests in this isolate. If Redis is down, or has answered none for
 * 500 ms, the request passes and a log line records that. The timeout of `redis` must be longer than 500 ms.
 */
export function createRateLimiter(redis: () => Redis, log: Log): RateLimiter {
  return {
    async take(id, perMinute) {
      const limiter = new Ratelimit({
        redis: redis(),
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

/** While a request waits for its count, a number that no longer rises shows that Redis does not answer. */
let answers = 0;

const LOOKS = 10;

/** `begins` rejects after 500 ms without an answer, in pauses that let a busy isolate process what has arrived. */
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

export function createNonceStore(redis: () => Redis): NonceStore {
  return {
    async put(key, value, ttlSeconds) {
      await redis().set(`nonce:${key}`, value, { ex: ttlSeconds });
    },
    find: (key) => redis().get<string>(`nonce:${key}`),
    take: (key) => redis().getdel<string>(`nonce:${key}`),
    async bind(key, holder, ttlSeconds) {
      const bound = redis().pipeline().set(`claim:${key}`, holder, { nx: true, ex: ttlSeconds });
      const [, held] = await bound.get<string>(`claim:${key}`).exec();
      return held === holder;
    },
  };
}

/** A failure only goes into the log, because every caller can do without Redis. */
async function orLog<T>(log: Log, message: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log('warn', message, { error });
    return undefined;
  }
}

const KeptAnswer = z.object({ fingerprint: z.string(), status: z.int(), body: z.string() });

/** If Redis is down, or holds malformed data under a key, the cache finds no answer. */
export function createAnswerStore(redis: () => Redis, log: Log): AnswerStore {
  return {
    find: (key) =>
      orLog(log, 'kept answer not read', async () => {
        const text = await redis().get<string>(`answer:${key}`);
        return text === null ? undefined : KeptAnswer.parse(JSON.parse(text));
      }),
    keep: (key, answer, ttlSeconds) =>
      orLog(log, 'answer not kept', async () => {
        await redis().set(`answer:${key}`, JSON.stringify(answer), { ex: ttlSeconds });
      }),
  };
}

const TICK = 'vitals:tick';
/** Readers add up this hour's counter and the one before, so a counter must live for longer than two hours. */
const COUNTED_FOR_SECONDS = 3 * 3_600;

const counter = (source: 'snapshot' | 'live', hour: number) => `vitals:searches:${source}:${hour}`;

/** Seconds after which Redis deletes a platform's figures of one hour. A day is read from the last 24 of them. */
const FIGURES_FOR_SECONDS = 26 * 3_600;
/** Largest number of hours of platforms whose refusals wait in one isolate. Further ones are not counted. */
const MOST_WAITING = 500;
const REFUSED = 'refused:';

const CALLS_WAITING = 25;
const callsIn = (hour: number) => `vitals:calendar-calls:${hour}`;

/** Counts of calls of the calendar provider that wait to be written, keyed by hour. */
export type Calls = Map<number, number>;

function addCalls(pipeline: ReturnType<Redis['pipeline']>, calls: Calls): void {
  for (const [hour, count] of calls) pipeline.incrby(callsIn(hour), count).expire(callsIn(hour), FIGURES_FOR_SECONDS);
  calls.clear();
}

const figuresOf = (platformId: string, hour: number) => `figures:${platformId}:${hour}`;

export type Refusals = Map<string, Map<string, number>>;

function addRefusals(pipeline: ReturnType<Redis['pipeline']>, refusals: Refusals): void {
  for (const [key, counts] of refusals) {
    for (const [code, count] of counts) pipeline.hincrby(key, REFUSED + code, count);
    pipeline.expire(key, FIGURES_FOR_SECONDS);
  }
  refusals.clear();
}

/** Fields of a hash and their values, in turn, as Redis answers them. */
const Hour = z.array(z.string());

function toDay(hours: unknown[]): PlatformDay {
  const sums = new Map<string, number>();
  for (const hour of hours) {
    const fields = Hour.parse(hour);
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [name = '', count] = fields.slice(at, at + 2);
      sums.set(name, (sums.get(name) ?? 0) + Number(count));
    }
  }
  const of = (name: string) => sums.get(name) ?? 0;
  const refused = [...sums].flatMap(([name, count]) =>
    name.startsWith(REFUSED) ? [{ code: name.slice(REFUSED.length), count }] : [],
  );
  return {
    ...{ searches: of('searches'), live: of('live'), empty: of('empty') },
    refused: refused.toSorted((one, other) => other.count - one.count),
  };
}

/**
 * The store knows when the sweep last finished, how many searches an hour used stored busy times (`snapshot`) or read
 * the calendars (`live`), and hourly figures. This isolate has not written `refusals` and `calls` yet.
 */
export function createVitals(redis: () => Redis, log: Log, refusals: Refusals, calls: Calls): Vitals {
  return {
    noteTick: (at) =>
      orLog(log, 'the end of a tick was not noted', async () => {
        const pipeline = redis().pipeline().set(TICK, String(at));
        addCalls(pipeline, calls);
        await pipeline.exec();
      }),
    async noteSearch(at, { platformId, source, isEmpty }) {
      const hour = Math.floor(at / HOUR);
      const key = counter(source, hour);
      const figures = figuresOf(platformId, hour);
      const pipeline = redis().pipeline().incr(key).expire(key, COUNTED_FOR_SECONDS);
      for (const name of ['searches', ...(source === 'live' ? ['live'] : []), ...(isEmpty ? ['empty'] : [])])
        pipeline.hincrby(figures, name, 1);
      pipeline.expire(figures, FIGURES_FOR_SECONDS);
      addRefusals(pipeline, refusals);
      addCalls(pipeline, calls);
      await orLog(log, 'a search was not counted', () => pipeline.exec());
    },
    noteRefusal(at, { platformId, code }) {
      const key = figuresOf(platformId, Math.floor(at / HOUR));
      const counts = refusals.get(key) ?? new Map<string, number>();
      if (refusals.size < MOST_WAITING || refusals.has(key))
        refusals.set(key, counts.set(code, (counts.get(code) ?? 0) + 1));
    },
    noteCall(at) {
      const hour = Math.floor(at / HOUR);
      calls.set(hour, (calls.get(hour) ?? 0) + 1);
      const waiting = [...calls.values()].reduce((all, count) => all + count, 0);
      if (waiting < CALLS_WAITING) return undefined;
      const pipeline = redis().pipeline();
      addCalls(pipeline, calls);
      return orLog(log, 'calls of the calendar provider were not counted', async () => void (await pipeline.exec()));
    },
    async readDay(now, platformId) {
      const hour = Math.floor(now / HOUR);
      const pipeline = redis().pipeline();
      addRefusals(pipeline, refusals);
      const written = pipeline.length();
      for (let ago = 0; ago < 24; ago += 1) pipeline.hgetall(figuresOf(platformId, hour - ago));
      return orLog(log, 'the figures of a platform were not read', async () =>
        toDay((await pipeline.exec<unknown[]>()).slice(written)),
      );
    },
    async read(now) {
      const hour = Math.floor(now / HOUR);
      const hours = [hour - 1, hour];
      const snapshots = hours.map((one) => counter('snapshot', one));
      const lives = hours.map((one) => counter('live', one));
      const day = Array.from({ length: 24 }, (_, ago) => callsIn(hour - ago));
      const [tick, ...counts] = await redis().mget<(string | null)[]>(TICK, ...snapshots, ...lives, ...day);
      const sum = (from: number, many = hours.length) =>
        counts.slice(from, from + many).reduce((all, one) => all + Number(one), 0);
      return {
        lastTickAt: typeof tick === 'string' ? Number(tick) : undefined,
        searches: { since: (hour - 1) * HOUR, snapshot: sum(0), live: sum(hours.length) },
        calendarCalls: sum(2 * hours.length, day.length),
      };
    },
  };
}
