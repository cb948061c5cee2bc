import type { ErrorCode } from './http-errors.ts';
import { MOST_REDIRECT_URIS } from './platform.ts';
import { MOST_OPEN } from './proposals.ts';

/** The cause of each error code and its remedy, for the documentation page that every error links to. */
export const ERROR_HELP: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause: 'A part of the request is missing, has the wrong type or is out of range.',
    remedy: "Correct the part of the request that the error's `field` names. The error's `message` says how.",
  },
  invalid_attendees: {
    cause: 'The attendees are not two different email addresses, or a change leaves out the requester of the meeting.',
    remedy:
      'Send exactly two email addresses. The first address is that of the requester, whose calendar has the event. When you change a meeting, keep the requester of the meeting.',
  },
  invalid_time: {
    cause:
      'A time is not an ISO 8601 date-time with an offset or Z, is in the past or more than 400 days ahead, or does not fit with another time in the request.',
    remedy: "Correct the time that the error's `field` names.",
  },
  invalid_duration: {
    cause: 'The duration is not a whole number of minutes within the limits of this endpoint.',
    remedy: "Send a number of minutes within the limits that the error's message gives.",
  },
  invalid_date_range: {
    cause:
      'A date in the request does not exist, the range of dates ends before it starts or in the past, or the range is too long.',
    remedy:
      'Send each date in the form YYYY-MM-DD. A range of dates covers at most 90 dates, including the first and the last date.',
  },
  invalid_email: {
    cause: 'The request has a value that is not an email address in the place of an email address.',
    remedy:
      'Send the email address of the Google account that the person connected. In a path or query, URL-encode the email address.',
  },
  missing_email: {
    cause: 'The request has no query parameter `email`.',
    remedy: "Add `?email=` with the person's URL-encoded email address to the request's URL.",
  },
  invalid_redirect_uri: {
    cause:
      'A redirect URI does not use HTTPS (HTTP is allowed for localhost only), has credentials or a fragment, or is not registered for the platform.',
    remedy:
      "Correct the redirect URI that the error's `field` names, or register the redirect URI with PUT /v1/platform/settings.",
  },
  too_many_redirect_uris: {
    cause: `The request has more than ${MOST_REDIRECT_URIS} redirect URIs.`,
    remedy: `Send at most ${MOST_REDIRECT_URIS} redirect URIs. The list that you send replaces the current list of redirect URIs.`,
  },
  invalid_webhook_url: {
    cause: 'The `webhook_url` in the settings does not use HTTPS or does not point to a public host.',
    remedy:
      "Correct the webhook URL as the error's message says. None of the settings in the request were saved. PUT /v1/platform/webhook reports a wrong webhook URL with the code `invalid_request` instead.",
  },
  unauthorized: {
    cause: 'The request has no API key, or the key is unknown, revoked or replaced.',
    remedy: 'Send a valid API key in the header `Authorization: Bearer` or `X-API-Key`.',
  },
  forbidden: {
    cause:
      'The API key is valid, but the endpoint does not accept this kind of key, or the meeting belongs to another platform.',
    remedy: "Use the kind of API key that the error's message names, and the IDs of your own platform's meetings.",
  },
  platform_suspended: {
    cause: 'The operator of this service has suspended your platform.',
    remedy:
      'Ask the operator to resume your platform. While your platform is suspended, its keys, meetings and settings are kept. Once your platform is resumed, Tandem sends the waiting webhooks.',
  },
  not_found: {
    cause: 'The API has nothing at the path of the request, or you have nothing with the ID in the request.',
    remedy: 'Check the path against /openapi.json, and check the ID.',
  },
  user_not_found: {
    cause: 'The person in the request has no calendar connected to your platform.',
    remedy: 'Send the person the link from GET /v1/platform/oauth-url.',
  },
  meeting_not_found: {
    cause: 'No meeting has the ID in the request, or the meeting was cancelled or replaced by another meeting.',
    remedy: 'Use the meeting ID from the latest response or event about the meeting.',
  },
  job_not_found: {
    cause: 'Your platform has no scheduling job with the ID in the request.',
    remedy: 'Use the `job_id` that POST /v1/schedule/auto returned. Tandem keeps a job for 30 days after the job ends.',
  },
  connection_not_found: {
    cause: 'The person in the request has no calendar connected to your platform.',
    remedy:
      'You do not need to do anything, because the person is not connected. GET /v1/calendars lists the people who are connected to your platform.',
  },
  calendar_reconnect_required: {
    cause: "Tandem's access to the person's calendar was revoked or has expired.",
    remedy: 'Send the person the link from GET /v1/platform/oauth-url again.',
  },
  webhook_not_configured: {
    cause: 'Your platform has no webhook URL.',
    remedy: 'Set a webhook URL with PUT /v1/platform/webhook.',
  },
  delivery_not_found: {
    cause:
      "No webhook delivery in your platform's log has the ID in the request. Webhook deliveries stay in the log for 30 days.",
    remedy: 'Use a delivery ID from GET /v1/platform/webhook/logs.',
  },
  unknown_time_zone: {
    cause: 'The calendar of a person has a time zone that is not in the IANA database.',
    remedy: 'Set a time zone with PUT /v1/user/preferences and the API key of the person that the error names.',
  },
  method_not_allowed: {
    cause: 'The path of the request exists, but does not accept the HTTP method of the request.',
    remedy: 'Use one of the HTTP methods in the response header `Allow`.',
  },
  no_availability: {
    cause:
      'The two people have no free time in common for the reschedule or the proposal, or other meetings were booked at the times that were free.',
    remedy:
      'For a reschedule, send another reason or a wider `preferred_time_range`, or move the meeting to a time of your choice with PUT /v1/meetings/{meeting_id}. For a proposal, send a shorter `duration_minutes`, or send times of your choice in `times`.',
  },
  slot_unavailable: {
    cause:
      'You set `require_free` or sent the `times` of a proposal, and a time is not free for both people. At least one person is busy, keeps the time for focus, has another meeting within their buffer, or has reached their meeting limit for the day.',
    remedy: "Book or propose one of the times in the error's `alternatives`, or search for another time.",
  },
  webhook_disabled: {
    cause: 'Your webhook is disabled, so Tandem sends no events.',
    remedy: 'Enable the webhook with PUT /v1/platform/webhook and `"enabled": true`.',
  },
  delivery_in_progress: {
    cause: 'The webhook delivery is still in progress, so you cannot replay it yet.',
    remedy:
      'Wait until the webhook delivery has succeeded or failed. GET /v1/platform/webhook/logs/{id} shows the status of the delivery.',
  },
  secret_rotated: {
    cause: 'Another request rotated the webhook secret at the same time.',
    remedy: 'Use the webhook secret that the other request returned, or rotate the secret again.',
  },
  idempotency_in_progress: {
    cause: 'The first request with the same `Idempotency-Key` has not finished.',
    remedy: 'Send the same request again after the number of seconds in `Retry-After`.',
  },
  job_ended: {
    cause: 'The scheduling job has completed or failed already, so it cannot be cancelled.',
    remedy:
      'Read the scheduling job with GET /v1/jobs/{job_id}. To cancel the meeting that the job booked, call DELETE /v1/meetings/{meeting_id}.',
  },
  batch_not_found: {
    cause: 'Your platform has no batch with the ID in the request, or the batch was deleted 30 days after its end.',
    remedy: 'Use a batch ID that POST /v1/schedule/batch returned.',
  },
  batch_ended: {
    cause: 'The batch has completed already, so it cannot be cancelled.',
    remedy:
      'Read the batch with GET /v1/batches/{batch_id}. To cancel a meeting that it booked, call DELETE /v1/meetings/{meeting_id}.',
  },
  batch_not_planned: {
    cause: 'Only a dry run whose plan is ready can be committed. The message says what the batch is instead.',
    remedy:
      'Wait until GET /v1/batches/{batch_id} shows the status `planned`. A batch without `dry_run` needs no commit.',
  },
  proposal_not_found: {
    cause:
      'Your platform has no proposal with the ID in the request, or the proposal was deleted 30 days after its end.',
    remedy: 'Use a proposal ID that POST /v1/proposals returned. GET /v1/proposals lists your proposals.',
  },
  proposal_ended: {
    cause:
      "The proposal has already ended, so it can no longer be accepted, declined or withdrawn. The error's message says how the proposal ended.",
    remedy:
      'Read the proposal with GET /v1/proposals/{proposal_id}. To offer other times, make a new proposal with POST /v1/proposals.',
  },
  proposal_busy: {
    cause: 'Another request has accepted a time of the proposal, and Tandem is still booking that time.',
    remedy: 'Send the request again after the number of seconds in the header `Retry-After`.',
  },
  time_unavailable: {
    cause:
      'The time of the proposal is no longer free: a calendar has become busy at this time, another meeting was booked, or the time has begun.',
    remedy: 'Read the proposal with GET /v1/proposals/{proposal_id}, and accept another time whose status is `held`.',
  },
  too_many_proposals: {
    cause: `With this proposal, one of the two people would be in more than ${MOST_OPEN.ofPerson} open proposals on your platform, the two would have more than ${MOST_OPEN.ofPair} with each other, or your open proposals would hold more than ${MOST_OPEN.heldHours} hours of one person, where each time counts as at least ${MOST_OPEN.leastMinutes} minutes. Or the meeting already has an open proposal to move it.`,
    remedy: 'Withdraw an open proposal with DELETE /v1/proposals/{proposal_id}, or wait until a proposal ends.',
  },
  meeting_busy: {
    cause: 'Another change to the meeting is still in progress.',
    remedy: 'Send the request again after the number of seconds in the header `Retry-After`.',
  },
  payload_too_large: {
    cause: 'The request body is larger than 64 KiB, or larger than 2 MiB in a request to POST /v1/schedule/batch.',
    remedy: "Send a smaller request body. The error's message gives the limit of this endpoint.",
  },
  unsupported_media_type: {
    cause: 'The `Content-Type` of the request is not JSON.',
    remedy: 'Send the request body with the header `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'The `Idempotency-Key` of the request was used for a different request in the last 24 hours.',
    remedy:
      'Use a new `Idempotency-Key` for each new request. Reuse an `Idempotency-Key` only to repeat the same request unchanged.',
  },
  rate_limited: {
    cause: 'You sent more requests within a minute than your plan, your user key or your network allows.',
    remedy:
      'Wait for the number of seconds in the header `Retry-After`. The `X-RateLimit-*` headers show how many requests you have left.',
  },
  quota_exceeded: {
    cause:
      'You have used all meetings of your plan for this UTC calendar month, or requests in progress have reserved the last of these meetings. Replacing the second attendee of a meeting counts as one more meeting.',
    remedy: "Wait until the time in the error's `resets_at`, or upgrade your plan.",
  },
  too_many_regenerations: {
    cause: 'The API key was regenerated less than an hour ago, and it can be regenerated once an hour.',
    remedy: "Wait until the time in the error's `resets_at`.",
  },
  calendar_unavailable: {
    cause:
      'The calendar provider failed or did not respond in time. Tandem never treats a calendar it cannot read as free.',
    remedy:
      'Send the request again. If the response has the header `Retry-After`, first wait for that number of seconds. If you sent an `Idempotency-Key`, send the same `Idempotency-Key` again.',
  },
  calendar_refused: {
    cause: "The calendar provider refused to let Tandem read or change a person's calendar.",
    remedy:
      "Check that the person can still change their calendar. If the person can change their calendar, contact us with the error's `request_id`.",
  },
  internal_error: {
    cause: 'Something failed on our side.',
    remedy: "Send the request again. If the error persists, contact us with the error's `request_id`.",
  },
};
