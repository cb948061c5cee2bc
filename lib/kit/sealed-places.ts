import type { SealedPlace } from './ports.ts';

/** What is encrypted for a row of a column cannot be decrypted elsewhere. */
const placeIn =
  (column: SealedPlace['column']) =>
  (row: string): SealedPlace => ({ column, row });

/** Of a user. In `revocations` the token is still bound to the account it came from. */
export const refreshTokenPlace = placeIn('calendar_accounts.refresh_token');
export const accessTokenPlace = placeIn('calendar_accounts.access_token');
/** The user's choice of blocking calendars. */
export const calendarsPlace = placeIn('calendar_accounts.calendars');
/** Of a platform. Previous secrets are bound to the same place. */
export const webhookSecretPlace = placeIn('webhook_endpoints.secret');
/** The token in a proposal's link. */
export const proposalTokenPlace = placeIn('proposals.token');
/** A receiver's answer to one attempt at a delivery. */
export const answerPlace = placeIn('delivery_attempts.answer');
