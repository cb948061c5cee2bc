import { createDns } from './dns.ts';
import { createGoogle } from './google/index.ts';
import { createRemoteGoogle } from './google/remote.ts';
import { createInbox } from './inbox.ts';
import type { Kept } from './kept.ts';
import { createLlm } from './llm.ts';
import { createNeon } from './neon.ts';
import { createQStash } from './qstash.ts';
import { createRedis } from './redis.ts';
import type { Secrets } from './secrets.ts';
import type { WorldClock } from './stand-in.ts';

interface PartyOptions {
  clock: WorldClock;
  secrets: Secrets;
  dataDir?: string;
  snapshot?: Blob;
  postgresUrl?: string;
  redisUrl?: string;
  redisPrefix?: string;
  googleUrl?: string;
  kept?: Kept | undefined;
}

export type Parties = Awaited<ReturnType<typeof createParties>>;

/** Everyone the Worker talks to. */
export async function createParties({
  clock,
  secrets,
  dataDir,
  snapshot,
  postgresUrl,
  redisUrl,
  redisPrefix,
  googleUrl,
  kept,
}: PartyOptions) {
  const neon = await createNeon({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(postgresUrl === undefined ? {} : { postgresUrl }),
  });
  const redis = await createRedis({
    token: secrets.UPSTASH_REDIS_REST_TOKEN,
    clock,
    keyPrefix: redisPrefix,
    kept: kept?.redis,
    ...(redisUrl === undefined ? {} : { redisUrl }),
  });
  const qstash = createQStash({
    clock,
    token: secrets.QSTASH_TOKEN,
    currentSigningKey: secrets.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: secrets.QSTASH_NEXT_SIGNING_KEY,
    kept: kept?.queue,
  });
  const google =
    googleUrl === undefined
      ? createGoogle({
          clock,
          clientId: secrets.GOOGLE_CLIENT_ID,
          clientSecret: secrets.GOOGLE_CLIENT_SECRET,
          kept: kept?.google,
          push: async (request) => {
            await fetch(request);
          },
        })
      : createRemoteGoogle({ url: googleUrl, clock });
  return { neon, redis, qstash, google, inbox: createInbox(clock, kept?.inbox), llm: createLlm(), dns: createDns() };
}
