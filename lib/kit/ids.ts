import { base64url } from 'jose';
import type { Ids } from './ports.ts';

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
