import type { SealedPlace } from './ports.ts';

/** A person's refresh token; one that waits in `revocations` is still sealed for the account it was of. */
export const refreshTokenOf = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.refresh_token',
  row: userId,
});

export const accessTokenOf = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.access_token',
  row: userId,
});

/** Which of a person's calendars block. */
export const calendarsOf = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.calendars',
  row: userId,
});

/** A platform's webhook secret, also once it is a former one. */
export const webhookSecretOf = (platformId: string): SealedPlace => ({
  column: 'webhook_endpoints.secret',
  row: platformId,
});
