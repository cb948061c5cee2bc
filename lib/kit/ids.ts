import { base64url } from 'jose';
import { hex, hmacSha256 } from './hmac.ts';
import type { Ids, Keys } from './ports.ts';

const random = (bytes: number) => base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)));

/** Generates IDs with 120 random bits and secrets with 256 random bits. */
export const randomIds: Ids = {
  id: (prefix) => prefix + random(15).replaceAll('-', 'A').replaceAll('_', 'B'),
  secret: (prefix) => prefix + random(32),
};

/** A text of another form can be rejected without a query. */
export const isMeetingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

export const ID_PREFIX = {
  job: 'sched_',
  meeting: 'meet_',
  proposal: 'prop_',
  batch: 'batch_',
  time: 'time_',
  event: 'wh_',
  delivery: 'wh_del_',
  platform: 'plat_',
  session: 'sess_',
  audit: 'audit_',
} as const;

const DOMAIN = '@former.invalid';

export const FORMER_USER = 'a former user';

/** This address replaces a deleted person's in all their meetings. Nobody owns it and no mail reaches it (RFC 2606). */
export const formerAddress = (ids: Ids): string => `former-user-${ids.id('').slice(0, 12).toLowerCase()}${DOMAIN}`;

/** This address fills the column `email` of a guest, whose real address is in another column. Nobody owns it. */
export const guestAddress = (ids: Ids): string => `guest-${ids.id('').toLowerCase()}@guest.invalid`;

export const isMadeUp = (email: string): boolean => /@(?:former|guest)\.invalid$/.test(email);

export const isFormerAddress = (email: string): boolean => email.endsWith(DOMAIN);

export async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

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
