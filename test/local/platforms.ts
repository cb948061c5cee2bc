import type { MovableClock } from './clock.ts';
import type { Neon } from './neon.ts';

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
  /** Takes in a platform made before this start. */
  remember(keys: PlatformKeys): PlatformKeys;
  /** The platform of this id, the first one when absent; undefined if this world does not know it. */
  find(id?: string): PlatformKeys | undefined;
}

/** The platforms of this world with their keys, which the product itself keeps only hashed. */
export function createPlatforms(deps: { neon: Neon; clock: MovableClock }): Platforms {
  const known = new Map<string, PlatformKeys>();
  const remember = (keys: PlatformKeys) => {
    known.set(keys.id, keys);
    return keys;
  };
  return {
    create: async () => {
      throw new Error(`not yet ${deps.clock.now()}`);
    },
    remember,
    find: (id) => (id === undefined ? [...known.values()][0] : known.get(id)),
  };
}
