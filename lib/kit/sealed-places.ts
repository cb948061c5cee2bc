import type { SealedPlace } from './ports.ts';

/** Nobody can decrypt a text for another place than that for which Tandem encrypted it. */
const placeIn =
  (column: SealedPlace['column']) =>
  (row: string): SealedPlace => ({ column, row });

/** A row is a user's. In `revocations` the token stays bound to the account that it came from. */
export const refreshTokenPlace = placeIn('calendar_accounts.refresh_token');
export const accessTokenPlace = placeIn('calendar_accounts.access_token');
/** The user's choice of blocking calendars. */
export const calendarsPlace = placeIn('calendar_accounts.calendars');
/** A row is a platform's. Its previous secrets are bound to the same place. */
export const webhookSecretPlace = placeIn('webhook_endpoints.secret');
/** The token in a proposal's link. */
export const proposalTokenPlace = placeIn('proposals.token');
/** A receiver's answer to one attempt at a delivery. */
export const answerPlace = placeIn('delivery_attempts.answer');
