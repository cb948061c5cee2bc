import { createDns } from '../lib/adapters/doh.ts';
import { createGoogleCalendar } from '../lib/adapters/google-calendar.ts';
import { createGoogleOAuth } from '../lib/adapters/google-oauth.ts';
import { connectNeon, type Opening } from '../lib/adapters/neon.ts';
import { createQueue } from '../lib/adapters/qstash.ts';
import { connectRedis, createAnswerStore, createNonceStore, createRateLimiter } from '../lib/adapters/redis.ts';
import { createSealer } from '../lib/adapters/sealed-tokens.ts';
import { sleep } from '../lib/adapters/sleep.ts';
import { createWebhookSender } from '../lib/adapters/webhook-sender.ts';
import { createTextReader } from '../lib/adapters/workers-ai.ts';
import type { Ctx } from '../lib/context.ts';
import { randomIds } from '../lib/ids.ts';
import { createKeys } from '../lib/keys.ts';
import type { Env } from './env.ts';
import { createLog } from './log.ts';

/** Builds what the verbs use from the environment; the only place that constructs. */
export function createContext(env: Env, requestId: string, waitUntil: (work: Promise<unknown>) => void): Ctx {
  const log = createLog(requestId);
  const now = () => Date.now();
  const redis = connectRedis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN, requestId });
  return {
    db: connectNeon({ url: env.DATABASE_URL, requestId }),
    clock: { now },
    ids: randomIds,
    keys: createKeys(randomIds, env.KEY_CHECK_SECRET),
    sealer: createSealer(env.TOKEN_KEYS),
    oauth: createGoogleOAuth({
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
      authorizeUrl: env.GOOGLE_AUTHORIZE_URL,
      now,
      requestId,
    }),
    calendar: createGoogleCalendar({ requestId }),
    queue: createQueue({ url: env.QSTASH_URL, token: env.QSTASH_TOKEN, baseUrl: env.BASE_URL, requestId }),
    nonces: createNonceStore(redis),
    answers: createAnswerStore(redis, log),
    limiter: createRateLimiter(redis, log),
    sender: createWebhookSender({ now }),
    reader: createTextReader(env.AI, log),
    dns: createDns({ now, requestId }),
    log,
    random: Math.random,
    sleep,
    later(work) {
      waitUntil(work.catch((error) => log('error', 'work after the answer failed', { error })));
    },
    config: { baseUrl: env.BASE_URL, ownDomain: env.OWN_DOMAIN, sessionSecret: env.SESSION_SECRET },
    requestId,
  };
}

/** The same with a Postgres whose statements stand behind an opening; without any they stand alone. */
export const openContext = (ctx: Ctx, env: Env, opening?: Opening): Ctx => ({
  ...ctx,
  db: connectNeon({ url: env.DATABASE_URL, requestId: ctx.requestId, opening }),
});
