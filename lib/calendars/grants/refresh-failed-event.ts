/** Reason, causes and advice of every `user.calendar.refresh_failed` event. */
export const REFRESH_FAILED = {
  reason: 'user_revoked_or_expired',
  possibleCauses: [
    'The person removed access in their Google account.',
    'The person changed their Google password.',
    'Tandem did not use the access for six months.',
    "An administrator of the person's organization removed access.",
  ],
  suggestedUserMessage:
    'Your calendar is no longer connected. Please connect your calendar again to keep scheduling meetings.',
};
