import { createDns } from './dns.ts';
import { createGoogle } from './google/index.ts';
import { createInbox } from './inbox.ts';
import type { Kept } from './kept.ts';
import { createLlm } from './llm.ts';
import { createNeon, type NeonOptions } from './neon.ts';
import type { Secrets } from './platforms.ts';
import { createQStash } from './qstash.ts';
import { createRedis, type RedisOptions } from './redis.ts';
import type { WorldClock } from './targets.ts';

/** Domain of the local world's people. Every address of it has a Google account. */
export const DEMO_DOMAIN = 'demo.test';

export type Places = NeonOptions & Pick<RedisOptions, 'redisUrl' | 'redisPrefix'>;

interface PartyOptions extends Places {
  clock: WorldClock;
  secrets: Secrets;
  kept?: Kept | undefined;
  report?: ((line: string) => void) | undefined;
}

export type Parties = Awaited<ReturnType<typeof createParties>>;

/** Creates the stand-ins of every service that the Worker calls. */
export async function createParties(options: PartyOptions) {
  const { clock, secrets, kept, report } = options;
  const neon = await createNeon(options);
  const redis = await createRedis({ ...options, token: secrets.UPSTASH_REDIS_REST_TOKEN, kept: kept?.redis });
  const qstash = createQStash({
    clock,
    token: secrets.QSTASH_TOKEN,
    currentSigningKey: secrets.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: secrets.QSTASH_NEXT_SIGNING_KEY,
    kept: kept?.queue,
  });
  const google = createGoogle({
    clock,
    clientId: secrets.GOOGLE_CLIENT_ID,
    clientSecret: secrets.GOOGLE_CLIENT_SECRET,
    newcomers: { domain: DEMO_DOMAIN, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    kept: kept?.google,
    report,
    push: async (request) => {
      await fetch(request);
    },
  });
  return { neon, redis, qstash, google, inbox: createInbox(clock, kept?.inbox), llm: createLlm(), dns: createDns() };
}
