import type { ConsentRefusal } from '../../../lib/calendars/connect/read-consent.ts';

/** Values of `error` with which a person returns to a platform: the cause, and advice for the person. */
export const CONNECT_ERRORS: Record<ConsentRefusal, readonly [cause: string, advice: string]> = {
  access_denied: ['They refused at Google.', 'Allow access.'],
  missing_scopes: ['They left a needed box unticked.', 'Tick every box not marked optional.'],
  email_mismatch: ['They signed in with another account.', "Choose the account with the link's address."],
  address_held: [
    'The address is connected with another Google account.',
    'Use that account. If it is gone, the platform can disconnect the address.',
  ],
  calendar_refused: ['Google did not confirm the sign-in.', 'If it stays, tell the platform.'],
  calendar_unavailable: ['The last step at Google failed.', 'Try again in a moment.'],
};
