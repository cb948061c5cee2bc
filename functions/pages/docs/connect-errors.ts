import type { ConsentRefusal } from '../../../lib/calendars/connect/read-consent.ts';

/** Values of `error` with which a person returns to a platform: the cause, and advice for the person. */
export const CONNECT_ERRORS: Record<ConsentRefusal, readonly [cause: string, advice: string]> = {
  access_denied: [
    'The person refused on the consent page of Google.',
    'Nothing was read. Open the link again to allow access.',
  ],
  missing_scopes: [
    'The person left a box unticked that is needed, on the consent page of Google.',
    'Open the link again and tick every box that is not marked as optional.',
  ],
  email_mismatch: [
    'The person signed in with another Google account than the one in the link.',
    'Open the link again and choose the account with this address.',
  ],
  address_held: [
    'The address is connected with another Google account, and Google does not confirm that it belongs to this one.',
    'Use the account that was connected before. If it is gone, the platform can disconnect the address.',
  ],
  calendar_refused: [
    'Google did not confirm the sign-in.',
    'Open the link again. If it happens again, tell the platform.',
  ],
  calendar_unavailable: ['The last step between Google and Tandem failed.', 'Open the link again in a moment.'],
};
