import type { SealedPlace } from './ports.ts';

/** A token cannot be decrypted elsewhere. In `revocations` it is still bound to the account it came from. */
export const refreshTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.refresh_token',
  row: userId,
});

export const accessTokenPlace = (userId: string): SealedPlace => ({
  column: 'calendar_accounts.access_token',
  row: userId,
});

/** The choice of blocking calendars cannot be decrypted elsewhere. */
export const calendarsPlace = (userId: string): SealedPlace => ({ column: 'calendar_accounts.calendars', row: userId });

/** The secret cannot be decrypted elsewhere. Previous secrets are bound to the same place. */
export const webhookSecretPlace = (platformId: string): SealedPlace => ({
  column: 'webhook_endpoints.secret',
  row: platformId,
});

/** The token in a proposal's link cannot be decrypted elsewhere. */
export const proposalTokenPlace = (proposalId: string): SealedPlace => ({ column: 'proposals.token', row: proposalId });

/** A receiver's answer cannot be decrypted elsewhere. Its owner is one attempt at a delivery. */
export const answerPlace = (attempt: string): SealedPlace => ({ column: 'delivery_attempts.answer', row: attempt });
