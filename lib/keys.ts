import type { Ids, Keys } from './ports.ts';

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Lower-case hex SHA-256 of a text. */
export async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

const KEY = /^((?:sk_live_|pk_live_|sk_user_|push_)[\w-]{43})([0-9a-f]{10})$/;

/**
 * Makes API keys and the secrets of channels, and tells made-up ones without asking anybody: a key is its prefix, 256 random bits, and a check of
 * both that only the holder of the secret can write.
 */
export function createKeys(ids: Ids, secret: string): Keys {
  const checkOf = async (key: string) => (await hmacSha256(secret, key)).slice(0, 10);
  return {
    async create(prefix) {
      const key = ids.secret(prefix);
      return key + (await checkOf(key));
    },
    async isGenuine(text) {
      const [, key, check] = KEY.exec(text) ?? [];
      return key !== undefined && check === (await checkOf(key));
    },
  };
}

/** A key as it may be shown again: prefix and last four characters. */
export function maskKey(key: string): string {
  const prefix = /^(?:sk|pk)_(?:live|user)_/.exec(key)?.[0] ?? '';
  return `${prefix}…${key.slice(-4)}`;
}

/** Lower-case hex HMAC-SHA256 of a text under a secret. */
export async function hmacSha256(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}
