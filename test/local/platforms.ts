import { randomBytes } from 'node:crypto';
import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { createKeys, randomIds } from '../../lib/kit/ids.ts';
import { createPlatform } from '../../lib/platforms/operator-commands.ts';
import type { MovableClock } from './clock.ts';
import type { Neon } from './neon.ts';
import { openDb } from './open-db.ts';
import { HOSTS } from './targets.ts';

/** Platform with its keys, as `.local/stack.json` and `POST /platforms` show them. */
export interface PlatformKeys {
  id: string;
  secret_key: string;
  publishable_key: string;
  webhook_secret: string | null;
}

export interface NewPlatform {
  name: string;
  plan: string;
  webhook_url?: string | undefined;
  redirect_uris?: string[] | undefined;
}

export type Platforms = ReturnType<typeof createPlatforms>;

const OWNER = 'owner@platform.test';

/** Creates the list of this world's platforms with their keys. The product itself stores only hashes of them. */
export function createPlatforms(deps: {
  neon: Neon;
  clock: MovableClock;
  tokenKeys: string;
  keySecret: string;
  /** Platforms that an earlier start saved. */
  kept?: Map<string, PlatformKeys> | undefined;
}) {
  const product = {
    db: openDb(deps.neon),
    clock: deps.clock,
    ids: randomIds,
    keys: createKeys(randomIds, deps.keySecret),
    sealer: createSealer(deps.tokenKeys),
  };
  const known = new Map(deps.kept);
  return {
    async create(given: NewPlatform): Promise<PlatformKeys> {
      const { name, plan, webhook_url = `https://${HOSTS.inbox}/hooks`, redirect_uris } = given;
      const input = { name, plan, webhookUrl: webhook_url, redirectUris: redirect_uris };
      const made = await createPlatform(product, { ...input, email: OWNER, allowLocal: true });
      const keys = {
        id: made.id,
        secret_key: made.secretKey,
        publishable_key: made.publishableKey,
        webhook_secret: made.webhookSecret,
      };
      known.set(keys.id, keys);
      return keys;
    },
    keep: () => known,
    /** Returns the platform with this id, or the first one without an id; undefined if this world does not have it. */
    find: (id?: string): PlatformKeys | undefined => (id === undefined ? [...known.values()][0] : known.get(id)),
    /** Forgets all platforms, as after their rows were deleted. */
    forget: () => known.clear(),
  };
}

const secret = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

export type Secrets = ReturnType<typeof createSecrets>;

export function createSecrets() {
  return {
    UPSTASH_REDIS_REST_TOKEN: secret('redis_'),
    QSTASH_TOKEN: secret('qstash_'),
    QSTASH_CURRENT_SIGNING_KEY: secret('sig_'),
    QSTASH_NEXT_SIGNING_KEY: secret('sig_'),
    GOOGLE_CLIENT_ID: 'tandem-local.apps.googleusercontent.com',
    GOOGLE_CLIENT_SECRET: secret('GOCSPX-'),
    TOKEN_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    KEY_CHECK_SECRET: secret(''),
    SESSION_SECRET: secret(''),
    HEALTH_TOKEN: secret(''),
  };
}
