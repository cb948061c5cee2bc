import type { ErrorCode } from './http-errors.ts';

/** The cause of each error code and its remedy, for the documentation page that every error links to. */
export const ERROR_HELP: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause: 'A part of the request is missing, has the wrong type or is out of range.',
    remedy: 'Correct the part that `field` names. The message says how.',
  },
  invalid_attendees: {
    cause: 'The attendees are not two different email addresses, or a change leaves out the requester of the meeting.',
    remedy:
      'Send exactly two email addresses. The first is the requester, whose calendar has the event. When you change a meeting, keep its requester.',
  },
  invalid_time: {
    cause:
      'A time is not an ISO 8601 date-time with an offset or Z, is in the past or more than 400 days ahead, or does not fit with another time in the request.',
    remedy: 'Correct the time that `field` names.',
  },
  invalid_duration: {
    cause: 'The duration is not a whole number of minutes within the limits of this endpoint.',
    remedy: 'Send a number of minutes within the limits that the message gives.',
  },
  invalid_date_range: {
    cause: 'A date does not exist, the end is before the start or in the past, or the range is too long.',
    remedy: 'Send dates as YYYY-MM-DD. A range covers at most 90 dates, including the first and the last.',
  },
  invalid_email: {
    cause: 'The value is not an email address.',
    remedy: 'Send the email address the person connected with. URL-encode it in a path or query.',
  },
  missing_email: {
    cause: 'The query has no `email` parameter.',
    remedy: "Add `?email=` with the person's URL-encoded email address.",
  },
  invalid_redirect_uri: {
    cause:
      'A redirect URI does not use HTTPS (HTTP is allowed for localhost only), has credentials or a fragment, or is not registered for the platform.',
    remedy: 'Correct the URI that `field` names, or register it with PUT /v1/platform/settings.',
  },
  too_many_redirect_uris: {
    cause: 'The request has more than 5 redirect URIs.',
    remedy: 'Send at most 5 redirect URIs. The list replaces the current list.',
  },
  invalid_webhook_url: {
    cause: 'The `webhook_url` in the settings does not use HTTPS or does not point to a public host.',
    remedy:
      'Correct the URL as the message says. None of the settings in the request were saved. PUT /v1/platform/webhook reports the same problem in `url` as `invalid_request`.',
  },
  unauthorized: {
    cause: 'The request has no API key, or the key is unknown, revoked or replaced.',
    remedy: 'Send a valid key as `Authorization: Bearer` or as `X-API-Key`.',
  },
  forbidden: {
    cause: 'The key is valid, but this endpoint does not accept its kind, or the meeting belongs to another platform.',
    remedy: 'Use the kind of key that the message names, and the IDs of your own meetings.',
  },
  platform_suspended: {
    cause: 'The operator of this service has suspended your platform.',
    remedy:
      'Ask the operator. Your keys, meetings and settings are kept, and webhooks that wait are sent once the platform is resumed.',
  },
  not_found: {
    cause: 'Nothing exists at this path, or nothing of yours has this ID.',
    remedy: 'Check the path against /openapi.json.',
  },
  user_not_found: {
    cause: 'This person has no calendar connected to your platform.',
    remedy: 'Send the person the link from GET /v1/platform/oauth-url.',
  },
  meeting_not_found: {
    cause: 'No meeting has this ID, or the meeting was cancelled or replaced by another.',
    remedy: 'Use the ID from the latest response or event about the meeting.',
  },
  job_not_found: {
    cause: 'Your platform has no scheduling job with this ID.',
    remedy: 'Use the `job_id` that POST /v1/schedule/auto returned. Tandem keeps a job for 30 days after the job ends.',
  },
  connection_not_found: {
    cause: 'This person has no calendar connected to your platform.',
    remedy: 'Nothing needs to be disconnected. GET /v1/calendars lists your connections.',
  },
  calendar_reconnect_required: {
    cause: "Access to this person's calendar was revoked or has expired.",
    remedy: 'Send the person the link from GET /v1/platform/oauth-url again.',
  },
  webhook_not_configured: {
    cause: 'Your platform has no webhook URL.',
    remedy: 'Set a webhook URL with PUT /v1/platform/webhook.',
  },
  delivery_not_found: {
    cause: 'No delivery in your log has this ID. Deliveries stay in the log for 30 days.',
    remedy: 'Use an ID from GET /v1/platform/webhook/logs.',
  },
  unknown_time_zone: {
    cause: "This person's calendar has a time zone that is not in the IANA database.",
    remedy: 'The person can set a time zone with PUT /v1/user/preferences.',
  },
  method_not_allowed: {
    cause: 'The path exists, but does not accept this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  no_availability: {
    cause: 'The two people have no free time in common to which the meeting could move.',
    remedy:
      'Send another reason or a wider `preferred_time_range`, or set a time yourself with PUT /v1/meetings/{meeting_id}.',
  },
  slot_unavailable: {
    cause:
      'You set `require_free`, and the time is not free for both people. One of them is busy, keeps that time for focus, has another meeting within their buffer, or has reached their meeting limit for that day.',
    remedy: 'Book one of the `alternatives`, if there are any, or search for another time.',
  },
  webhook_disabled: {
    cause: 'Your webhook is disabled.',
    remedy: 'Enable the webhook with PUT /v1/platform/webhook and `"enabled": true`.',
  },
  delivery_in_progress: {
    cause: 'The delivery is still in progress.',
    remedy: 'Wait until it has succeeded or failed. GET /v1/platform/webhook/logs/{id} shows its status.',
  },
  secret_rotated: {
    cause: 'Another request rotated the webhook secret at the same time.',
    remedy: 'Use the secret that the other request returned, or rotate again.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this `Idempotency-Key` has not finished.',
    remedy: 'Send the same request again after the number of seconds in `Retry-After`.',
  },
  job_ended: {
    cause: 'The job has completed or failed already, so it cannot be cancelled.',
    remedy: 'Read it with GET /v1/jobs/{job_id}. To cancel its meeting, call DELETE /v1/meetings/{meeting_id}.',
  },
  proposal_not_found: {
    cause: 'Your platform has no proposal with this ID, or it was deleted 30 days after its end.',
    remedy: 'Use an ID from POST /v1/proposals. GET /v1/proposals lists your proposals.',
  },
  proposal_ended: {
    cause: 'The proposal has already ended in another way, which the message names.',
    remedy: 'Read it with GET /v1/proposals/{proposal_id}. To offer other times, make a new proposal.',
  },
  proposal_busy: {
    cause: 'Another request accepts a time of this proposal, and its booking has not finished.',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
  time_unavailable: {
    cause: 'A calendar has become busy at this time of the proposal, somebody booked over it, or it has begun.',
    remedy: 'Read the proposal with GET /v1/proposals/{proposal_id}, and accept another time whose status is `held`.',
  },
  too_many_proposals: {
    cause: 'The requester has 20 open proposals on your platform, or the two people have 5 with each other.',
    remedy: 'Withdraw an open proposal with DELETE /v1/proposals/{proposal_id}, or wait until one ends.',
  },
  meeting_busy: {
    cause: 'Another change to this meeting has not finished.',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
  payload_too_large: {
    cause: 'The request body is larger than 64 KiB.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    cause: 'The `Content-Type` of the request is not JSON.',
    remedy: 'Send the body with `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'This `Idempotency-Key` was used for a different request in the last 24 hours.',
    remedy: 'Use a new key for each new request. Reuse a key only to repeat the same request unchanged.',
  },
  rate_limited: {
    cause: 'You sent more requests within a minute than your plan, your user key or your network allows.',
    remedy:
      'Wait for the number of seconds in `Retry-After`. The `X-RateLimit-*` headers show how many requests you have left.',
  },
  quota_exceeded: {
    cause:
      'You have used all meetings of your plan for this UTC calendar month, or requests in progress hold the last ones. A changed pair of attendees counts as a meeting.',
    remedy: 'Wait until the time in `resets_at`, or upgrade your plan.',
  },
  too_many_regenerations: {
    cause: 'A key was regenerated less than an hour ago.',
    remedy: 'Wait until the time in `resets_at`.',
  },
  calendar_unavailable: {
    cause:
      'The calendar provider failed or did not respond in time. Tandem never treats a calendar it cannot read as free.',
    remedy:
      'Try again. If the response has `Retry-After`, wait for that number of seconds. If you sent an `Idempotency-Key`, send the same key.',
  },
  calendar_refused: {
    cause: 'The calendar provider refused the request.',
    remedy: 'Check that the person can still change that calendar. If so, contact us with the `request_id`.',
  },
  internal_error: {
    cause: 'Something failed on our side.',
    remedy: 'Try again. If the error persists, contact us with the `request_id`.',
  },
};
