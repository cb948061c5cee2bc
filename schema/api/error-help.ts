import type { ErrorCode } from './http-errors.ts';
import { MOST_REDIRECT_URIS } from './platform.ts';
import { MOST_OPEN } from './proposals.ts';

/** The cause of each error code and its remedy, for the documentation page that every error links to. */
export const ERROR_HELP: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause: 'Something in the request is missing, of the wrong type or out of range.',
    remedy: 'Correct what `field` names. `message` says how.',
  },
  invalid_attendees: {
    cause: "There aren't exactly two different addresses, or a change leaves out the requester.",
    remedy: 'Send two. The first is the requester, whose calendar has the event; keep them when you change a meeting.',
  },
  invalid_time: {
    cause: 'A time has no offset, has passed, is more than 400 days ahead, or contradicts another time in the request.',
    remedy: 'Correct what `field` names.',
  },
  invalid_duration: {
    cause: "The duration isn't a whole number of minutes within this endpoint's limits.",
    remedy: 'Stay within the limits in `message`.',
  },
  invalid_date_range: {
    cause: "A date doesn't exist, or the range ends before it starts, ends in the past, or is too long.",
    remedy: 'Send YYYY-MM-DD, and at most 90 dates, both ends included.',
  },
  invalid_email: {
    cause: "Something that isn't an email address stands in the place of one.",
    remedy: "Send the person's Google address, URL-encoded in a path or query.",
  },
  missing_email: { cause: 'The query has no `email`.', remedy: "Add `?email=` with the person's URL-encoded address." },
  invalid_redirect_uri: {
    cause:
      "A redirect URI isn't registered, isn't HTTPS (HTTP is for localhost only), or has credentials or a fragment.",
    remedy: 'Correct it, or register it with PUT /v1/platform/settings.',
  },
  too_many_redirect_uris: {
    cause: `There are more than ${MOST_REDIRECT_URIS} redirect URIs.`,
    remedy: `Send at most ${MOST_REDIRECT_URIS}. The list replaces the old one.`,
  },
  invalid_webhook_url: {
    cause: "`webhook_url` isn't HTTPS or doesn't point to a public host. No setting of the request was saved.",
    remedy: 'Correct it as `message` says. PUT /v1/platform/webhook calls the same mistake `invalid_request`.',
  },
  unauthorized: {
    cause: "There's no API key, or it's unknown, revoked or replaced.",
    remedy: 'Send a valid one as `Authorization: Bearer` or `X-API-Key`.',
  },
  forbidden: {
    cause:
      "The key is valid, but this endpoint wants another kind, the key was replaced, or the meeting is another platform's.",
    remedy: 'Use the kind of key that `message` names, and your own meetings.',
  },
  platform_suspended: {
    cause: 'The operator has suspended your platform.',
    remedy: 'Ask them to resume it. Keys, meetings and settings are kept, and waiting webhooks are sent afterwards.',
  },
  not_found: { cause: "There's nothing at this path, or nothing of yours with this ID.", remedy: 'Check both.' },
  user_not_found: {
    cause: 'The person has no calendar connected to your platform.',
    remedy: 'Send them the link from GET /v1/platform/oauth-url, or offer them times.',
  },
  meeting_not_found: {
    cause: 'No meeting has this ID, or it was cancelled or replaced by another.',
    remedy: 'Use the ID from the latest answer or event about it.',
  },
  job_not_found: {
    cause: 'You have no job with this ID. Jobs are kept for 30 days after they end.',
    remedy: 'Use the `job_id` from POST /v1/schedule/auto.',
  },
  batch_not_found: {
    cause: 'You have no batch with this ID. Batches are kept for 30 days after they end.',
    remedy: 'Use the `batch_id` from POST /v1/schedule/batch.',
  },
  proposal_not_found: {
    cause: 'You have no proposal with this ID. They are kept for 30 days after they end.',
    remedy: 'GET /v1/proposals lists yours.',
  },
  connection_not_found: {
    cause: "The person isn't connected to your platform.",
    remedy: 'Nothing. GET /v1/calendars lists who is.',
  },
  calendar_reconnect_required: {
    cause: "Access to the person's calendar was revoked or has expired.",
    remedy: 'Send them the link from GET /v1/platform/oauth-url again.',
  },
  webhook_not_configured: { cause: 'You have no webhook URL.', remedy: 'Set one with PUT /v1/platform/webhook.' },
  delivery_not_found: {
    cause: 'No delivery in your log has this ID. They stay for 30 days.',
    remedy: 'GET /v1/platform/webhook/logs lists them.',
  },
  unknown_time_zone: {
    cause: "The person's time zone isn't known.",
    remedy: 'They set one on /me, or you do with their key and PUT /v1/user/preferences.',
  },
  method_not_allowed: { cause: "The path doesn't take this method.", remedy: 'Use one from the header `Allow`.' },
  no_availability: {
    cause: 'The two have no common time for the reschedule or the proposal, or others took what was free.',
    remedy:
      'Send another reason, a wider `preferred_time_range` or a shorter `duration_minutes`, or a time of your choice: PUT /v1/meetings/{meeting_id}, `times` of a proposal.',
  },
  slot_unavailable: {
    cause:
      "With `require_free`, or in a proposal's `times`: somebody is busy, keeps the time for focus or as a buffer, or has reached their meetings for the day.",
    remedy: 'Take one of `alternatives`, with a new `Idempotency-Key`, or search again.',
  },
  reason_unclear: {
    cause:
      'With `when_unclear: "refuse"`, the `reason` says something about time that was not understood, or it asks to cancel.',
    remedy:
      'Ask for the time in other words, or take one of `alternatives`. To cancel: DELETE /v1/meetings/{meeting_id}.',
  },
  webhook_disabled: { cause: 'Your webhook is disabled.', remedy: 'PUT /v1/platform/webhook with `"enabled": true`.' },
  delivery_in_progress: {
    cause: 'The delivery is still under way.',
    remedy: 'Replay it once GET /v1/platform/webhook/logs/{id} says `success` or `failed`.',
  },
  secret_rotated: {
    cause: 'Another request rotated the webhook secret at the same time.',
    remedy: 'Use the secret it got, or rotate again.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Send it again after `Retry-After`.',
  },
  job_ended: {
    cause: 'The job has ended, so it cannot be cancelled.',
    remedy: 'GET /v1/jobs/{job_id} has its result. DELETE /v1/meetings/{meeting_id} cancels the meeting.',
  },
  batch_ended: {
    cause: 'The batch has ended, so it cannot be cancelled.',
    remedy: 'GET /v1/batches/{batch_id} has its results. DELETE /v1/meetings/{meeting_id} cancels a meeting.',
  },
  batch_not_planned: {
    cause: 'Only a dry run whose plan is ready can be committed. `message` says what this batch is.',
    remedy: 'Wait for the status `planned`. Without `dry_run` there is nothing to commit.',
  },
  proposal_ended: {
    cause: 'The proposal has ended. `message` says how.',
    remedy: 'Read it with GET /v1/proposals/{proposal_id}, or make a new one.',
  },
  proposal_busy: {
    cause: 'Another request has accepted a time, and Tandem is booking it.',
    remedy: 'Send it again after `Retry-After`.',
  },
  time_unavailable: {
    cause: "A proposed time is no longer free, or it's over.",
    remedy: 'GET /v1/proposals/{proposal_id}, and accept a time that is still `held`.',
  },
  too_many_proposals: {
    cause: `One of the two is in ${MOST_OPEN.ofPerson} open proposals of yours, the two have ${MOST_OPEN.ofPair}, your proposals hold ${MOST_OPEN.heldHours} hours of one of them (each time counts as ${MOST_OPEN.leastMinutes} minutes at least), or the meeting already has one.`,
    remedy: 'Withdraw one with DELETE /v1/proposals/{proposal_id}, or wait until one ends.',
  },
  meeting_busy: {
    cause: 'Another change to the meeting is under way.',
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
    cause: 'This `Idempotency-Key` had another request in the last 24 hours.',
    remedy: 'A new request needs a new key, an alternative time too.',
  },
  rate_limited: {
    cause: 'Too many requests this minute for your plan, your key or your network.',
    remedy: 'Wait `Retry-After` seconds.',
  },
  quota_exceeded: {
    cause: "Your plan's meetings for this month are used, or requests under way have reserved the last.",
    remedy: 'Wait until `resets_at`, or take a larger plan.',
  },
  too_many_regenerations: {
    cause: 'The key was replaced less than an hour ago.',
    remedy: 'Wait until `resets_at`.',
  },
  calendar_unavailable: {
    cause: "Google failed or didn't answer in time. A calendar that can't be read is never taken for free.",
    remedy: 'Send it again, after `Retry-After` if it is there, with the same `Idempotency-Key`.',
  },
  calendar_refused: {
    cause: "Google refused to let Tandem read or change the person's calendar.",
    remedy:
      "Check that they can change it themselves: a retry gets the same answer. If they can, contact us with the error's `request_id`.",
  },
  internal_error: {
    cause: 'Something failed on our side.',
    remedy: "Send it again. If it stays, contact us with the error's `request_id`.",
  },
};
