import type { SealedPlace } from './ports.ts';

/**
 * Returns the place (table, column and owner) to which a person's encrypted refresh token is bound, so that it cannot
 * be decrypted elsewhere. A token that waits in `revocations` is still bound to the account it came from.
 */
export const refreshTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.refresh_token',
  row: userId,
});

export const accessTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.access_token',
  row: userId,
});

/**
 * Returns the place (table, column and owner) to which the encrypted choice of a person's blocking calendars is bound,
 * so that it cannot be decrypted elsewhere.
 */
export const calendarsPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.calendars',
  row: userId,
});

/**
 * Returns the place (table, column and owner) to which a platform's encrypted webhook secret is bound, so that it
 * cannot be decrypted elsewhere. Previous secrets are bound to the same place.
 */
export const webhookSecretPlace = (platformId: string): SealedPlace => ({
  column: 'webhook_endpoints.secret',
  row: platformId,
});

/**
 * Returns the place (table, column and owner) to which the encrypted token in a proposal's link is bound, so that it
 * cannot be decrypted elsewhere.
 */
export const proposalTokenPlace = (proposalId: string): SealedPlace => ({
  column: 'proposals.token',
  row: proposalId,
});

/**
 * Returns the place (table, column and owner) to which the encrypted answer of a webhook's receiver is bound, so that it
 * cannot be decrypted elsewhere. Its owner is one attempt at a delivery.
 */
export const answerPlace = (attempt: string): SealedPlace => ({ column: 'delivery_attempts.answer', row: attempt });
