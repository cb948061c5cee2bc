import type { SealedPlace } from './ports.ts';

/**
 * Returns the table, column and owner to which the encryption of a person's refresh token is bound. A token that waits
 * in `revocations` is still bound to the account it came from.
 */
export const refreshTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.refresh_token',
  row: userId,
});

export const accessTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.access_token',
  row: userId,
});

/** Returns the table, column and owner to which the encryption of a person's choice of blocking calendars is bound. */
export const calendarsPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.calendars',
  row: userId,
});

/**
 * Returns the table, column and owner to which the encryption of a platform's webhook secret is bound. Previous secrets
 * are bound to the same place.
 */
export const webhookSecretPlace = (platformId: string): SealedPlace => ({
  column: 'webhook_endpoints.secret',
  row: platformId,
});
