import { sha256 } from '../../lib/kit/keys.ts';
import type { Neon } from './neon.ts';
import { DEMO_DOMAIN } from './parties.ts';
import type { PlatformKeys } from './platforms.ts';

interface PeopleDeps {
  neon: Pick<Neon, 'query'>;
  /** Returns true if this address, in lower case, has a Google account. */
  hasAccount(email: string): boolean;
  /** Keys that an earlier start saved. */
  kept: Map<string, string> | undefined;
  connect(platform: PlatformKeys, email: string): Promise<void>;
  connectWithKey(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }>;
}

/** Creates the list of this world's people with their user keys. The product itself stores only hashes of them. */
export function createPeople({ neon, kept, hasAccount, connect, connectWithKey }: PeopleDeps) {
  const keys = new Map(kept);
  return {
    keep: () => keys,
    /**
     * Connects a person, unless they are, and returns their user key: the known one while it is valid, or a new one.
     * Throws for an address without a Google account.
     */
    async connect(platform: PlatformKeys, email: string): Promise<{ email: string; api_key: string }> {
      if (!hasAccount(email.toLowerCase()))
        throw new Error(
          `${email} has no Google account here. Use an address of ${DEMO_DOMAIN}, or add one with POST /google/users.`,
        );
      const known = keys.get(email);
      if (known !== undefined && (await isLive(neon, known))) {
        if (!(await isConnected(neon, platform.id, email))) await connect(platform, email);
        if (await isLive(neon, known)) return { email, api_key: known };
      }
      const made = await connectWithKey(platform, email);
      keys.set(email, made.api_key);
      return made;
    },
  };
}

// Asked of the database, because the product answers only a secret key, and that may have been replaced.
async function isConnected(neon: Pick<Neon, 'query'>, platformId: string, email: string): Promise<boolean> {
  const rows = await neon.query(
    `select 1 from connections join users on users.id = connections.user_id
     join calendar_accounts on calendar_accounts.user_id = users.id
     where platform_id = $1 and email = $2 and disconnected_at is null and calendar_accounts.status = 'connected'`,
    [platformId, email.toLowerCase()],
  );
  return rows.length > 0;
}

/** Returns true if the product accepts this API key. */
export async function isLive(neon: Pick<Neon, 'query'>, key: string): Promise<boolean> {
  const [row] = await neon.query('select revoked_at from api_keys where hash = $1', [await sha256(key)]);
  return row !== undefined && row.revoked_at === null;
}

/** Returns the platform's secret key. Throws if it was replaced; the message ends with `instead`. */
export async function liveKey(
  neon: Pick<Neon, 'query'>,
  { id, secret_key }: PlatformKeys,
  instead: string,
): Promise<string> {
  if (await isLive(neon, secret_key)) return secret_key;
  throw new Error(`The secret key of ${id} was replaced, and only you have the new one. ${instead}`);
}
