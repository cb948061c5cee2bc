import { hex, hmacSha256 } from './hmac.ts';
import type { Ids, Keys } from './ports.ts';

export async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

/** Prefixes of a platform's secret and publishable keys, a person's key, and a push channel's secret. */
const PREFIXES = ['sk_live_', 'pk_live_', 'sk_user_', 'push_'];
const KEY = new RegExp(`^((?:${PREFIXES.join('|')})[\\w-]{43})([0-9a-f]{10})$`);

/** A key has 256 random bits and a checksum under `secret`, so a forged one is recognized without a query. */
export function createKeys(ids: Ids, secret: string): Keys {
  const checkOf = async (key: string) => (await hmacSha256(secret, key)).slice(0, 10);
  const complete = async (key: string) => key + (await checkOf(key));
  return {
    create: (prefix) => complete(ids.secret(prefix)),
    complete,
    async isGenuine(text) {
      const [, key, check] = KEY.exec(text) ?? [];
      return key !== undefined && check === (await checkOf(key));
    },
  };
}

export function maskKey(key: string): string {
  const prefix = /^(?:sk|pk)_(?:live|user)_/.exec(key)?.[0] ?? '';
  return `${prefix}…${key.slice(-4)}`;
}
