import type { Ids } from './ports.ts';

const DOMAIN = '@former.invalid';

/** The name shown for a person whose account was deleted. */
export const FORMER_USER = 'a former user';

/**
 * Makes an email address that replaces a deleted person's address. Nobody owns it and no mail reaches it (RFC 2606). It
 * replaces the address in all of the person's meetings.
 */
export const formerAddress = (ids: Ids): string => `former-user-${ids.id('').slice(0, 12).toLowerCase()}${DOMAIN}`;

/**
 * Makes an email address that nobody owns, for the column `email` of a guest's row. The guest's real address is in
 * another column.
 */
export const guestAddress = (ids: Ids): string => `guest-${ids.id('').toLowerCase()}@guest.invalid`;

export const isFormerAddress = (email: string): boolean => email.endsWith(DOMAIN);
