import type { ErrorCode } from './http-errors.ts';
import { MOST_REDIRECT_URIS } from './platform.ts';

/** The cause of each error code and its remedy, for the documentation page that every error links to. */
export const ERROR_HELP: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause: 'Something is missing, of the wrong type or out of range.',
    remedy: 'Correct `field` as `message` says.',
  },
  invalid_attendees: {
    cause: "There aren't exactly two different addresses, or a change leaves out the first.",
    remedy: 'Send two, with the same first one when you change a meeting.',
  },
  invalid_time: {
    cause: 'A time has no offset, has passed, is over 400 days ahead, or contradicts another.',
    remedy: 'Correct `field`.',
  },
  invalid_duration: {
    cause: "The duration isn't a whole number of minutes within the limits.",
    remedy: 'Stay within the limits in `message`.',
  },
  invalid_date_range: {
    cause: "A date doesn't exist, or the range is too long, over, or ends before it starts.",
    remedy: 'Send YYYY-MM-DD, and at most 90 days.',
  },
  invalid_email: {
    cause: "It isn't an email address.",
    remedy: 'Correct it; URL-encode it in a path or query.',
  },
  missing_email: { cause: 'The query has no `email`.', remedy: 'Add it, URL-encoded.' },
  invalid_redirect_uri: {
    cause: "It isn't registered or HTTPS (HTTP on localhost), or has credentials or a fragment.",
    remedy: 'Register it with PUT /v1/platform/settings.',
  },
  too_many_redirect_uris: {
    cause: `There are more than ${MOST_REDIRECT_URIS} redirect URIs.`,
    remedy: 'Send fewer. The list replaces the old one.',
  },
  invalid_webhook_url: {
    cause: "`webhook_url` isn't HTTPS to a public host. Nothing was saved.",
    remedy: 'Correct it. PUT /v1/platform/webhook calls this `invalid_request`.',
  },
  unauthorized: {
    cause: "There's no API key, or it's unknown, revoked or replaced.",
    remedy: 'Send a valid one as `Authorization: Bearer`.',
  },
  forbidden: {
    cause: "This endpoint wants another kind of key, the key was replaced, or the meeting is another platform's.",
    remedy: 'Use the key that `message` names, and your own meetings.',
  },
  platform_suspended: {
    cause: 'The operator suspended your platform.',
    remedy: 'Ask them to resume it. Nothing is lost.',
  },
  not_found: { cause: 'Nothing is at this path, or nothing of yours has this ID.', remedy: 'Check both.' },
  user_not_found: {
    cause: 'The person has no calendar connected to your platform.',
    remedy: 'Send them the link from GET /v1/platform/oauth-url, or offer them times.',
  },
  meeting_not_found: {
    cause: 'No meeting has this ID, or it was cancelled or replaced.',
    remedy: 'Use the ID from the latest answer or event.',
  },
  job_not_found: {
    cause: 'You have no such job, or it ended 30 days ago.',
    remedy: 'Use the `job_id` from POST /v1/schedule/auto.',
  },
  batch_not_found: {
    cause: 'You have no such batch, or it ended 30 days ago.',
    remedy: 'Use the `batch_id` from POST /v1/schedule/batch.',
  },
  proposal_not_found: {
    cause: 'You have no such proposal, or it ended 30 days ago.',
    remedy: 'GET /v1/proposals lists yours.',
  },
  connection_not_found: {
    cause: "The person isn't connected to your platform.",
    remedy: 'GET /v1/calendars lists who is.',
  },
  calendar_reconnect_required: {
    cause: 'Access to the calendar was revoked or has expired.',
    remedy: 'Send them the link again.',
  },
  webhook_not_configured: { cause: 'You have no webhook URL.', remedy: 'Set one with PUT /v1/platform/webhook.' },
  delivery_not_found: {
    cause: 'Your log of 30 days has no such delivery.',
    remedy: 'GET /v1/platform/webhook/logs lists them.',
  },
  unknown_time_zone: {
    cause: "The person's time zone isn't known.",
    remedy: 'They set it on /me, or with PUT /v1/user/preferences.',
  },
  method_not_allowed: { cause: "The path doesn't take this method.", remedy: 'Use one from the header `Allow`.' },
  no_availability: {
    cause: 'No time is free for both.',
    remedy: 'Send a wider `preferred_time_range`, a shorter `duration_minutes`, or a time of your own.',
  },
  slot_unavailable: {
    cause: "Somebody isn't free, with `require_free` or in a proposal's `times`.",
    remedy: 'Take one of [`alternatives`](/docs/slot-taken), with a new `Idempotency-Key`, or search again.',
  },
  reason_unclear: {
    cause: "The `reason` asks to cancel, or wasn't understood and `when_unclear` is `refuse`.",
    remedy: 'Ask in other words, or take one of `alternatives`. To cancel: DELETE /v1/meetings/{meeting_id}.',
  },
  webhook_disabled: { cause: 'Your webhook is disabled.', remedy: 'PUT /v1/platform/webhook with `"enabled": true`.' },
  delivery_in_progress: {
    cause: "It's still under way.",
    remedy: 'Replay it once its `status` is `success` or `failed`.',
  },
  secret_rotated: {
    cause: 'Another request rotated it at the same time.',
    remedy: 'Use the secret it got, or rotate again.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this key is still running.',
    remedy: 'Send it again after `Retry-After`.',
  },
  job_ended: {
    cause: "It has ended, so it can't be cancelled.",
    remedy: 'Cancel its meeting with DELETE /v1/meetings/{meeting_id}.',
  },
  batch_ended: {
    cause: "It has ended, so it can't be cancelled.",
    remedy: 'Cancel a meeting with DELETE /v1/meetings/{meeting_id}.',
  },
  batch_not_planned: {
    cause: 'Only a planned dry run can be committed.',
    remedy: 'Wait until it is `planned`.',
  },
  proposal_ended: {
    cause: 'It has ended. `message` says how.',
    remedy: 'Make a new one.',
  },
  proposal_busy: {
    cause: 'Another request is accepting it.',
    remedy: 'Send it again after `Retry-After`.',
  },
  time_unavailable: {
    cause: "The time is no longer free, or it's over.",
    remedy: "Accept one that's `held`: GET /v1/proposals/{proposal_id}.",
  },
  too_many_proposals: {
    cause: 'The two have as many open ones of yours as they may, or the meeting has one.',
    remedy: 'Withdraw one, or wait.',
  },
  meeting_busy: {
    cause: 'Another change to it is under way.',
    remedy: 'Send it again after `Retry-After`.',
  },
  payload_too_large: {
    cause: 'The body is over 64 KiB, or over 2 MiB for POST /v1/schedule/batch.',
    remedy: 'Send less.',
  },
  unsupported_media_type: {
    cause: "The `Content-Type` isn't JSON.",
    remedy: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'This key had another request in the last 24 hours.',
    remedy: 'Use a new one, for an alternative time too.',
  },
  rate_limited: {
    cause: 'Too many requests this minute.',
    remedy: 'Wait `Retry-After` seconds.',
  },
  quota_exceeded: {
    cause: "This month's meetings are used or reserved.",
    remedy: 'Wait until `resets_at`, or take a larger plan.',
  },
  too_many_regenerations: {
    cause: 'The key was replaced less than an hour ago.',
    remedy: 'Wait until `resets_at`.',
  },
  calendar_unavailable: {
    cause: "Google failed or didn't answer in time.",
    remedy: "Send it again with the same `Idempotency-Key`, after `Retry-After` if it's there.",
  },
  calendar_refused: {
    cause: 'Google refused access to the calendar.',
    remedy: 'A retry gets the same. If the person can change it themselves, contact us with the `request_id`.',
  },
  internal_error: {
    cause: 'Something failed on our side.',
    remedy: 'Send it again. If it stays, contact us.',
  },
};
