import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { randomIds } from '../../lib/ids.ts';
import { createKeys } from '../../lib/keys.ts';
import { createPlatform } from '../../lib/platforms/create-platform.ts';
import type { MovableClock } from './clock.ts';
import { HOSTS } from './hosts.ts';
import type { Neon } from './neon.ts';
import { openDb } from './open-db.ts';

/** A platform with its keys, as `.local/stack.json` and `POST /platforms` show it. */
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

export interface Platforms {
  create(input: NewPlatform): Promise<PlatformKeys>;
  /** The platforms with their keys, to be kept. */
  keep(): Map<string, PlatformKeys>;
  /** The platform of this id, the first one when absent; undefined if this world does not know it. */
  find(id?: string): PlatformKeys | undefined;
}

const OWNER = 'owner@platform.test';

/** The platforms of this world with their keys, which the product itself keeps only hashed. */
export function createPlatforms(deps: {
  neon: Neon;
  clock: MovableClock;
  tokenKeys: string;
  keySecret: string;
  /** What an earlier start kept. */
  kept?: Map<string, PlatformKeys> | undefined;
}): Platforms {
  const product = {
    db: openDb(deps.neon),
    clock: deps.clock,
    ids: randomIds,
    keys: createKeys(randomIds, deps.keySecret),
    sealer: createSealer(deps.tokenKeys),
  };
  const known = new Map(deps.kept);
  return {
    async create({ name, plan, webhook_url = `https://${HOSTS.inbox}/hooks`, redirect_uris }) {
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
    find: (id) => (id === undefined ? [...known.values()][0] : known.get(id)),
  };
}
