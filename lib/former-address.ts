import type { Ids } from './ports.ts';

const DOMAIN = '@former.invalid';

/** What a person is called where they have no name any more. */
export const FORMER_USER = 'a former user';

/** An address in a person's place that nobody has and that reaches nobody (RFC 2606); one and the same in all their meetings. */
export const formerAddress = (ids: Ids): string => `former-user-${ids.id('').slice(0, 12).toLowerCase()}${DOMAIN}`;

export const isFormerAddress = (email: string): boolean => email.endsWith(DOMAIN);
