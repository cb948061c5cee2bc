import type { ErrorCode } from './http-errors.ts';

/** For whoever reads up on a code: what happened, and what they can do. */
export const ERROR_HELP: Record<ErrorCode, { cause: string; remedy: string }> = {
  invalid_request: {
    cause: 'A part of the request is missing, of the wrong type or out of bounds.',
    remedy: 'Correct what `field` names, as the message says.',
  },
  invalid_attendees: {
    cause: 'The attendees are not two different e-mail addresses, or not two whom this meeting can have.',
    remedy: 'Give exactly two; the first is the requester, on whose calendar the event stands.',
  },
  invalid_time: {
    cause:
      'A time is not an ISO 8601 date-time with an offset or Z, lies in the past or more than 400 days ahead, or two times do not fit together.',
    remedy: 'Correct the time that `field` names.',
  },
  invalid_duration: {
    cause: 'The duration is not a whole number of minutes within the bounds of this endpoint.',
    remedy: 'Give minutes within the bounds the message names.',
  },
  invalid_date_range: {
    cause: 'A date does not exist, the end lies before the start or in the past, or the range is too long.',
    remedy: 'Give dates as YYYY-MM-DD, at most 90 of them, the first and the last counted.',
  },
  invalid_email: {
    cause: 'What was given as an e-mail address is not one.',
    remedy: 'Give the address the person connected, URL-encoded where it stands in the URL.',
  },
  missing_email: {
    cause: 'The query has no email.',
    remedy: 'Ask for one person: `?email=` and their address, URL-encoded.',
  },
  invalid_redirect_uri: {
    cause:
      'A redirect URI is not HTTPS (HTTP for localhost), has credentials or a fragment, or is not registered by the platform.',
    remedy: 'Correct the one that `field` names, or register it with PUT /v1/platform/settings.',
  },
  too_many_redirect_uris: {
    cause: 'More than 5 redirect URIs were sent.',
    remedy: 'Send at most 5: the list takes the place of the former one.',
  },
  invalid_webhook_url: {
    cause: 'The `webhook_url` of the settings is not HTTPS, or does not lead to a public host.',
    remedy:
      'Correct it as the message says; nothing of the request was saved. PUT /v1/platform/webhook says the same of its `url` as `invalid_request`.',
  },
  unauthorized: {
    cause: 'There is no API key in the request, or one that is not valid (any more).',
    remedy: 'Send the key as Authorization: Bearer or as X-API-Key.',
  },
  forbidden: {
    cause: 'The key is valid, but of another kind than this endpoint takes, or the meeting is another platform’s.',
    remedy: 'Use the kind of key that the message names, and ids of your own meetings.',
  },
  not_found: {
    cause: 'There is nothing at this path, or nothing of yours under this id.',
    remedy: 'Compare the path with the document at /openapi.json.',
  },
  user_not_found: {
    cause: 'This person has not connected a calendar with your platform.',
    remedy: 'Send them the link of GET /v1/platform/oauth-url.',
  },
  meeting_not_found: {
    cause: 'There is no meeting of this id, or it was cancelled or replaced by another.',
    remedy: 'Use the id of the last answer or event about the meeting.',
  },
  job_not_found: {
    cause: 'There is no scheduling job of this id on your platform.',
    remedy: 'Use the job_id that POST /v1/schedule/auto answered.',
  },
  connection_not_found: {
    cause: 'This person has no calendar connected with your platform.',
    remedy: 'Nothing is left to disconnect; GET /v1/calendars lists the connections.',
  },
  calendar_reconnect_required: {
    cause: 'The access this person gave to their calendar has ended.',
    remedy: 'Send them the link of GET /v1/platform/oauth-url again.',
  },
  webhook_not_configured: {
    cause: 'Your platform has no webhook URL.',
    remedy: 'Set one with PUT /v1/platform/webhook.',
  },
  delivery_not_found: {
    cause: 'There is no delivery of this id in your log, or it is older than 30 days.',
    remedy: 'Use an id of GET /v1/platform/webhook/logs.',
  },
  unknown_time_zone: {
    cause: 'The calendar of this person names a time zone that nobody knows.',
    remedy: 'They can set their own with PUT /v1/user/preferences.',
  },
  method_not_allowed: {
    cause: 'The path is known, but does not take this method.',
    remedy: 'Use one of those in the Allow header.',
  },
  no_availability: {
    cause: 'The two have no common time where the meeting may go.',
    remedy: 'Give another reason or a wider preferred_time_range, or choose a time with PUT.',
  },
  slot_unavailable: {
    cause:
      'A free time was asked for with `require_free`, and it is not free for both: one is busy, has another meeting nearer than their buffer, or all the meetings they take that day.',
    remedy: 'Book one of the alternatives.',
  },
  webhook_disabled: {
    cause: 'Your webhook is switched off.',
    remedy: 'Switch it on with PUT /v1/platform/webhook and "enabled": true.',
  },
  delivery_in_progress: {
    cause: 'The delivery is still being attempted.',
    remedy: 'Wait for its end; GET /v1/platform/webhook/logs/{id} shows it.',
  },
  secret_rotated: {
    cause: 'Another request replaced the webhook secret at the same time.',
    remedy: 'Keep the secret that the other request was given, or rotate again.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this Idempotency-Key has not ended yet.',
    remedy: 'Send the same request again after Retry-After seconds.',
  },
  meeting_busy: {
    cause: 'Another change of this meeting has not ended yet.',
    remedy: 'Try again after Retry-After seconds.',
  },
  payload_too_large: {
    cause: 'The body has more than 64 KiB.',
    remedy: 'Send a shorter one.',
  },
  unsupported_media_type: {
    cause: 'The body was not sent as JSON.',
    remedy: 'Send it with Content-Type: application/json.',
  },
  idempotency_key_reused: {
    cause: 'This Idempotency-Key was used for another request within 24 hours.',
    remedy: 'Use a new key for each new request, and the old one only to repeat it unchanged.',
  },
  rate_limited: {
    cause: 'More requests came within a minute than the plan, the user key or the network may send.',
    remedy: 'Wait for Retry-After seconds; the X-RateLimit headers tell how much is left.',
  },
  quota_exceeded: {
    cause: 'All meetings of the plan for this calendar month are used.',
    remedy: 'Wait until resets_at, or move to a larger plan.',
  },
  too_many_regenerations: {
    cause: 'A key was regenerated less than an hour ago.',
    remedy: 'Wait until resets_at.',
  },
  calendar_unavailable: {
    cause:
      'The calendar provider failed or did not answer in time; a calendar that cannot be read is never taken for free.',
    remedy: 'Try again, after Retry-After seconds if it is there, with the same Idempotency-Key if you sent one.',
  },
  calendar_refused: {
    cause: 'The calendar provider refused what was asked of the calendar.',
    remedy: 'Look whether the person may still change that calendar; write to us with the request_id if so.',
  },
  internal_error: {
    cause: 'Something failed on our side.',
    remedy: 'Try again; if it persists, write to us with the request_id.',
  },
};
