import { createDns } from '../../lib/adapters/doh.ts';
import { createAgentDocuments, createWebhookSender } from '../../lib/adapters/foreign-hosts.ts';
import { createGoogleCalendar } from '../../lib/adapters/google-calendar.ts';
import { createGoogleOAuth } from '../../lib/adapters/google-oauth.ts';
import { connectNeon } from '../../lib/adapters/neon.ts';
import { checkQueue, createQueue } from '../../lib/adapters/qstash.ts';
import * as stores from '../../lib/adapters/redis.ts';
import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { createReadingModel, newBreaker } from '../../lib/adapters/workers-ai.ts';
import { SERVICE } from '../../lib/kit/change.ts';
import type { Ctx } from '../../lib/kit/context.ts';
import { createKeys, randomIds } from '../../lib/kit/ids.ts';
import type { Trace } from '../../lib/kit/ports.ts';
import type { Env } from './env.ts';
import { createLog, traced } from './log.ts';

/** All requests of this isolate share the count. After three in a row, they do without the model for a minute. */
const breaker = newBreaker();

/** Numbers of refused requests that this isolate has not written to Redis yet. */
const refusals: stores.Refusals = new Map();
const calls: stores.Calls = new Map();

/** Adapters of outside services are constructed here and nowhere else. */
export function createContext(
  env: Env,
  requestId: string,
  waitUntil: (work: Promise<unknown>) => void,
  trace: Trace = (_name, run) => run(),
): Ctx {
  const log = createLog(requestId);
  const now = () => Date.now();
  const upstash = { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN, requestId };
  const redis = stores.connectRedis(upstash);
  // A consent that nobody could remember would fail, and requests that nobody counts would all pass.
  const patientRedis = stores.connectRedis({ ...upstash, timeoutMs: stores.PATIENT_TIMEOUT_MS });
  const oauth = createGoogleOAuth({
    clientId: env.GOOGLE_CLIENT_ID,
    clientSecret: env.GOOGLE_CLIENT_SECRET,
    authorizeUrl: env.GOOGLE_AUTHORIZE_URL,
    now,
    requestId,
  });
  const vitals = stores.createVitals(redis, log, refusals, calls);
  const onCall = () => {
    const written = vitals.noteCall(now());
    if (written !== undefined) waitUntil(written);
  };
  const qstash = { url: env.QSTASH_URL, token: env.QSTASH_TOKEN, requestId };
  return {
    db: connectNeon({ url: env.DATABASE_URL, requestId, trace }),
    clock: { now },
    ids: randomIds,
    keys: createKeys(randomIds, env.KEY_CHECK_SECRET),
    sealer: createSealer(env.TOKEN_KEYS),
    // `consentUrl` only builds a URL and makes no network request, so it needs no trace span.
    oauth: { ...traced(trace, 'oauth', oauth), consentUrl: oauth.consentUrl },
    calendar: traced(trace, 'calendar', createGoogleCalendar({ requestId, onCall })),
    queue: traced(trace, 'queue', createQueue({ ...qstash, baseUrl: env.BASE_URL })),
    checkQueue: () => trace('queue.check', () => checkQueue(qstash)),
    nonces: traced(trace, 'nonces', stores.createNonceStore(patientRedis)),
    answers: traced(trace, 'answers', stores.createAnswerStore(redis, log)),
    limiter: traced(trace, 'limiter', stores.createRateLimiter(patientRedis, log)),
    // `noteRefusal` and `noteCall` only count in memory, so they need no trace span.
    vitals: { ...traced(trace, 'vitals', vitals), noteRefusal: vitals.noteRefusal, noteCall: vitals.noteCall },
    sender: traced(trace, 'sender', createWebhookSender({ now })),
    model: traced(trace, 'model', createReadingModel({ ai: env.AI, model: env.AI_MODEL, breaker, now, log })),
    agentDocuments: traced(trace, 'agent_documents', createAgentDocuments({ requestId })),
    dns: traced(trace, 'dns', createDns({ now, requestId })),
    log,
    trace,
    random: Math.random,
    sleep: (ms) => scheduler.wait(ms),
    later(work) {
      waitUntil(work.catch((error) => log('error', 'work after the answer failed', { error })));
    },
    config: { baseUrl: env.BASE_URL, ownDomain: env.OWN_DOMAIN, sessionSecret: env.SESSION_SECRET },
    admitted: Promise.resolve(),
    requestId,
    actor: SERVICE,
    network: null,
  };
}

/** The timer of the Workers runtime, whose `wait` pauses (developers.cloudflare.com/workers/runtime-apis/scheduler). */
declare const scheduler: { wait(ms: number): Promise<void> };
