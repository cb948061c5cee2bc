import type { ConsentRefusal } from '../../../lib/calendars/connect/read-consent.ts';

/** Values of `error` with which a person returns to a platform: the cause, and advice for the person. */
export const CONNECT_ERRORS: Record<ConsentRefusal, readonly [cause: string, advice: string]> = {
  access_denied: ['The person refused at Google.', 'Allow access.'],
  missing_scopes: ['They left a box unticked that is needed.', 'Tick every box not marked as optional.'],
  email_mismatch: [
    'They signed in with another account than the one in the link.',
    'Choose the account with this address.',
  ],
  address_held: [
    'The address is connected with another Google account, and Google does not confirm this one.',
    'Use the account of before. If it is gone, the platform can disconnect the address.',
  ],
  calendar_refused: ['Google did not confirm the sign-in.', 'If it stays, tell the platform.'],
  calendar_unavailable: ['The last step between Google and Tandem failed.', 'Try again in a moment.'],
};
