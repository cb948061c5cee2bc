import { ERRORS, ERRORS_PATH, type ErrorCode, FIELD_CODES, isNested } from '../../schema/api/http-errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
import { GROUPS } from '../http/groups.ts';
import type { Json } from '../http/whole-schema.ts';
import { scheduling } from './examples/scheduling.ts';
import { fieldsOf } from './json-schema.ts';

const OF_KEYS: ErrorCode[] = ['unauthorized', 'forbidden'];
const OF_BODIES: ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const OF_IDEMPOTENCY: ErrorCode[] = ['invalid_request', 'idempotency_in_progress', 'idempotency_key_reused'];

export function codesOf(operation: Operation): ErrorCode[] {
  const {
    method,
    key,
    path,
    query,
    body,
    codes = {},
    errors = [],
    takesIdempotencyKey,
    retriesByKey,
    pages,
  } = operation;
  const given = [query, body].filter((schema) => schema !== undefined);
  const fields = given.flatMap((schema) => Object.keys(fieldsOf(schema).properties));
  const ofFields = fields.flatMap((field) => Object.values(codes[field] ?? FIELD_CODES[field] ?? {}));
  // An operation that changes something reads its body even if it has no fields, to refuse any.
  const isBodyRead = body !== undefined || method !== 'get';
  const isChecked = isBodyRead || (query !== undefined && pages === undefined) || path.includes('{email}');
  return [
    ...(isChecked ? (['invalid_request'] as const) : []),
    ...ofFields,
    ...(isBodyRead ? OF_BODIES : []),
    ...(takesIdempotencyKey ? OF_IDEMPOTENCY : []),
    ...(retriesByKey ? (['invalid_request', 'idempotency_key_reused'] as const) : []),
    ...(key === 'platform' || key === 'user' ? OF_KEYS : []),
    ...(key === 'platform' ? (['platform_suspended'] as const) : []),
    ...errors,
    ...(key === 'open' ? [] : (['rate_limited'] as const)),
    'internal_error',
  ];
}

type Said = { message: string } & Record<string, unknown>;

const ADA = 'ada@example.com';
const REQUEST = 'req_2nBq7';
const RESETS_AT = '2030-01-07T09:01:00.000Z';
const MONTH_RESETS_AT = '2030-02-01T00:00:00.000Z';

const SAID: Record<ErrorCode, string | Said> = {
  invalid_request: {
    message: 'The header Idempotency-Key must have 1 to 255 printable ASCII characters.',
    field: 'Idempotency-Key',
  },
  invalid_attendees: { message: '`attendees` must contain exactly two email addresses.', field: 'attendees' },
  invalid_time: {
    message: '`start_time` must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.',
    field: 'start_time',
  },
  invalid_duration: { message: '`duration_minutes` must be a whole number from 15 to 120.', field: 'duration_minutes' },
  invalid_date_range: {
    message: 'The range of dates has 120 days, but a search covers at most 90. Send a shorter range.',
    field: 'date_range.end_date',
  },
  invalid_email: { message: '`email` must be an email address, such as ada@example.com.', field: 'email' },
  missing_email: { message: '`email` is required. Send it with the request.', field: 'email' },
  invalid_redirect_uri: {
    message: '`redirect_uris.0` must be an HTTPS URL (HTTP only for localhost) without credentials or a fragment.',
    field: 'redirect_uris.0',
  },
  too_many_redirect_uris: { message: '`redirect_uris` must have at most 5 entries.', field: 'redirect_uris' },
  invalid_webhook_url: { message: 'The webhook URL must begin with https://.', field: 'webhook_url' },
  unauthorized: 'The API key is not valid. Send the whole key, and check that it was not replaced or revoked.',
  forbidden:
    'Another platform created this meeting, so you cannot read or change it. Use the ID of a meeting that your platform booked.',
  platform_suspended:
    'This platform is suspended, so its API keys do not work. Ask the operator of this service to resume the platform.',
  not_found:
    'No change of your learned weights has the ID in the request. GET /v1/user/learning lists the changes with their IDs.',
  user_not_found: {
    message: `${ADA} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
    field: 'attendees',
    email: ADA,
  },
  meeting_not_found:
    'No meeting has the ID in the request. Use an ID from the response to a booking or from GET /v1/meetings.',
  job_not_found:
    'No scheduling job has the ID in the request. Use a job ID that POST /v1/schedule/auto returned, at most 30 days after the job ended.',
  connection_not_found: `${ADA} has no calendar connected to this platform, so there is nothing to disconnect. GET /v1/calendars lists your connections.`,
  calendar_reconnect_required: {
    message: `${ADA} must connect their calendar again, because access to it was revoked or has expired. Send them the link from GET /v1/platform/oauth-url.`,
    field: 'attendees',
    email: ADA,
  },
  webhook_not_configured: 'This platform has no webhook URL. Set a URL with PUT /v1/platform/webhook.',
  delivery_not_found:
    'No webhook delivery in the log has the ID in the request. Deliveries stay in the log for 30 days. GET /v1/platform/webhook/logs lists the deliveries with their IDs.',
  unknown_time_zone: {
    message: `The time zone of ${ADA} is unknown, because their calendar names none of the IANA database. Set one with PUT /v1/user/preferences and the API key of ${ADA}.`,
    field: 'attendees',
    email: ADA,
  },
  method_not_allowed: '/v1/schedule does not accept GET. Use one of the methods in the response header Allow.',
  no_availability:
    'The two people have no free time in common. The meeting was not moved. Send another reason, or move the meeting to a time of your choice with PUT /v1/meetings/{meeting_id}.',
  slot_unavailable: {
    message: 'Nothing was booked: Bob is not free then. Book one of the alternatives instead.',
    field: 'start_time',
    alternatives: scheduling.findAvailability.answer.slots,
  },
  reason_unclear: {
    message:
      'Nothing was changed, because these words about time were not understood: “the week of the big push”. Say the time in other words, or take one of the alternatives.',
    field: 'reason',
    alternatives: scheduling.findAvailability.answer.slots,
  },
  webhook_disabled:
    'The webhook is disabled. To enable the webhook, send `"enabled": true` with PUT /v1/platform/webhook.',
  delivery_in_progress:
    'This webhook delivery is still in progress. Replay the delivery once GET /v1/platform/webhook/logs/{id} shows that the delivery succeeded or failed.',
  secret_rotated:
    'Another request rotated the webhook secret at the same time. Use the secret that the other request returned, or rotate the secret again.',
  idempotency_in_progress:
    'The first request with this Idempotency-Key is still in progress. Send the same request again in 5 seconds.',
  job_ended:
    'This job has already completed, so it can no longer be cancelled. Its meeting meet_W0ZwBlCA6b3v10x2tBAI stays. To cancel the meeting, call DELETE /v1/meetings/meet_W0ZwBlCA6b3v10x2tBAI.',
  batch_not_found:
    'No batch has the ID in the request. Use a batch ID that POST /v1/schedule/batch returned, at most 30 days after the batch ended.',
  batch_ended:
    'This batch has completed, so it can no longer be cancelled. To cancel one of its meetings, call DELETE /v1/meetings/{meeting_id}.',
  batch_not_planned:
    'Nothing was committed, because this batch is still being planned. Commit it once GET /v1/batches/{batch_id} shows the status `planned`.',
  proposal_not_found:
    'No proposal has the ID in the request. Use an ID that POST /v1/proposals returned. A proposal can be read until 30 days after it was answered or expired.',
  proposal_ended:
    'This proposal can no longer be changed, because it is expired. To offer other times, make a new proposal with POST /v1/proposals.',
  proposal_busy: 'A time of this proposal is being booked. Try again in 5 seconds.',
  time_unavailable: {
    message:
      'This time of the proposal is no longer free. 2 other times of the proposal can still be accepted. GET /v1/proposals/{proposal_id} shows the times.',
    field: 'time_id',
  },
  too_many_proposals: {
    message:
      'A requester can have at most 20 open proposals, and two people at most 5 with each other. Withdraw an open proposal, or wait until a proposal ends.',
    field: 'attendees',
  },
  meeting_busy: 'Another change to this meeting is still in progress. Try again in 5 seconds.',
  payload_too_large: 'The request body must not be larger than 64 KiB. Send a smaller body.',
  unsupported_media_type: 'The request body must be JSON, sent with the header Content-Type: application/json.',
  idempotency_key_reused:
    'This Idempotency-Key was used for a different request. Use a new Idempotency-Key for each new request.',
  rate_limited: {
    message: 'You can send at most 120 requests per minute. Try again in 42 seconds.',
    limit: 120,
    used: 120,
    resets_at: RESETS_AT,
  },
  quota_exceeded: {
    message: `You have used all 1000 meetings of your plan for this month. Wait until the count resets at ${MONTH_RESETS_AT}, or upgrade your plan.`,
    limit: 1_000,
    used: 1_000,
    resets_at: MONTH_RESETS_AT,
  },
  too_many_regenerations: {
    message: 'An API key can be replaced once an hour. You can replace this API key again from 10:00 UTC on.',
    limit: 1,
    used: 1,
    resets_at: '2030-01-07T10:00:00.000Z',
  },
  calendar_unavailable: {
    message: `The calendar of ${ADA} could not be reached. Try again in a minute. The request ID is ${REQUEST}.`,
    email: ADA,
  },
  calendar_refused: {
    message: `The calendar of ${ADA} refused the request. Check that ${ADA} may still use that calendar.`,
    email: ADA,
  },
  internal_error: `Something went wrong on our side. Try again in a minute. The request ID is ${REQUEST}. If it happens again, write to support@tandem.example with this ID.`,
};

const nameOf = (path: string, code: ErrorCode) => (isNested(path, code) ? `${code}_nested` : code);

export const examplesOf = (path: string, codes: readonly ErrorCode[]): Json =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${nameOf(path, code)}` }]));

export const errorExamples = (): Json =>
  Object.fromEntries(
    GROUPS.flatMap(({ operations }) => operations)
      .flatMap((operation) => codesOf(operation).map((code) => ({ path: operation.path, code })))
      .map(({ path, code }) => [nameOf(path, code), { summary: ERRORS[code].title, value: toAnswer(path, code) }]),
  );

function toAnswer(path: string, code: ErrorCode): Json {
  const said = SAID[code];
  const whole = {
    ...(typeof said === 'string' ? { message: said } : said),
    request_id: REQUEST,
    docs: `https://api.tandem.example${ERRORS_PATH}#${code}`,
  };
  return isNested(path, code) ? { error: { code, ...whole } } : { error: ERRORS[code].title, code, ...whole };
}
