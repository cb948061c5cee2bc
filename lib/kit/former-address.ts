import type { Ids } from './ports.ts';

const DOMAIN = '@former.invalid';

/** The name shown for a person whose account was deleted. */
export const FORMER_USER = 'a former user';

/** This address replaces a deleted person's in all their meetings. Nobody owns it and no mail reaches it (RFC 2606). */
export const formerAddress = (ids: Ids): string => `former-user-${ids.id('').slice(0, 12).toLowerCase()}${DOMAIN}`;

/** This address fills the column `email` of a guest, whose real address is in another column. Nobody owns it. */
export const guestAddress = (ids: Ids): string => `guest-${ids.id('').toLowerCase()}@guest.invalid`;

/** Returns true for the placeholder of a deleted person or of a guest. */
export const isMadeUp = (email: string): boolean => /@(?:former|guest)\.invalid$/.test(email);

export const isFormerAddress = (email: string): boolean => email.endsWith(DOMAIN);
