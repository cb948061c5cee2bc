import { ERRORS, ERRORS_PATH, type ErrorCode, isNested } from '../../schema/api/http-errors.ts';
import { GROUPS } from '../groups.ts';
import { scheduling } from './examples/scheduling.ts';
import type { Json } from './json-schema.ts';
import { codesOf } from './refusals.ts';

type Said = { message: string } & Record<string, unknown>;

const ADA = 'ada@example.com';
const REQUEST = 'req_2nBq7';
const RESETS_AT = '2030-01-07T09:01:00.000Z';
const MONTH_RESETS_AT = '2030-02-01T00:00:00.000Z';

/** What each code is answered with, of the two people of the other examples. */
const SAID: Record<ErrorCode, Said> = {
  invalid_request: { message: 'Idempotency-Key must have 1 to 255 printable characters.', field: 'Idempotency-Key' },
  invalid_attendees: { message: 'attendees must be exactly 2 e-mail addresses.', field: 'attendees' },
  invalid_time: { message: 'start_time must be an ISO 8601 date-time with an offset or Z.', field: 'start_time' },
  invalid_duration: { message: 'duration_minutes must be a whole number from 15 to 120.', field: 'duration_minutes' },
  invalid_date_range: {
    message: 'A search covers at most 90 days, and these are 120.',
    field: 'date_range.end_date',
  },
  invalid_email: { message: 'email must be an e-mail address.', field: 'email' },
  missing_email: { message: 'email is required.', field: 'email' },
  invalid_redirect_uri: {
    message: 'redirect_uris.0 must be HTTPS (HTTP for localhost only), without credentials and fragment.',
    field: 'redirect_uris.0',
  },
  too_many_redirect_uris: { message: 'redirect_uris must have at most 5 entries.', field: 'redirect_uris' },
  invalid_webhook_url: { message: 'The webhook URL must be HTTPS.', field: 'webhook_url' },
  unauthorized: { message: 'The API key is not valid.' },
  forbidden: { message: 'This meeting was made by another platform.' },
  not_found: { message: 'You have no learned change of this id.' },
  user_not_found: {
    message: `${ADA} has not connected a calendar with this platform.`,
    field: 'attendees',
    email: ADA,
  },
  meeting_not_found: { message: 'There is no meeting of this id, or it was cancelled or rescheduled.' },
  job_not_found: { message: 'There is no such job.' },
  connection_not_found: { message: `${ADA} has no calendar connection with this platform.` },
  calendar_reconnect_required: {
    message: `${ADA} must connect their calendar again: the grant has ended.`,
    field: 'attendees',
  },
  webhook_not_configured: { message: 'Set a URL first: PUT /v1/platform/webhook.' },
  delivery_not_found: { message: 'There is no such delivery in the log.' },
  unknown_time_zone: {
    message: `The time zone of ${ADA}'s calendar is not a known IANA zone. They can set one with PUT /v1/user/preferences.`,
    field: 'attendees',
    email: ADA,
  },
  method_not_allowed: { message: '/v1/schedule does not take GET.' },
  no_availability: { message: 'The two have no common time.' },
  slot_unavailable: {
    message: 'This time is not free for both. Take one of the alternatives.',
    field: 'start_time',
    alternatives: scheduling.findAvailability.answer.slots,
  },
  webhook_disabled: { message: 'Enable the webhook first: PUT /v1/platform/webhook.' },
  delivery_in_progress: { message: 'This delivery is still being attempted; it needs no replay yet.' },
  secret_rotated: { message: 'The secret was replaced by another request at the same time.' },
  idempotency_in_progress: { message: 'The first request with this Idempotency-Key is still running.' },
  meeting_busy: { message: 'Another change of this meeting is still under way; try again.' },
  payload_too_large: { message: 'The body may have at most 64 KiB.' },
  unsupported_media_type: { message: 'Send the body as Content-Type: application/json.' },
  idempotency_key_reused: { message: 'This Idempotency-Key was used with another request.' },
  rate_limited: {
    message: 'At most 120 requests a minute; try again in 42 seconds.',
    limit: 120,
    used: 120,
    resets_at: RESETS_AT,
  },
  quota_exceeded: {
    message: `The plan's 1000 meetings of this month are used; they start anew at ${MONTH_RESETS_AT}.`,
    limit: 1_000,
    used: 1_000,
    resets_at: MONTH_RESETS_AT,
  },
  too_many_regenerations: {
    message: 'A key can be replaced once an hour. The next can be made from 10:00 UTC on.',
    limit: 1,
    used: 1,
    resets_at: '2030-01-07T10:00:00.000Z',
  },
  calendar_unavailable: { message: `The calendar of ${ADA} could not be reached; try again. Request ${REQUEST}.` },
  calendar_refused: { message: `The calendar of ${ADA} refused the request. Request ${REQUEST}.` },
  internal_error: { message: `Something went wrong on our side. Try again. Request ${REQUEST}.` },
};

/** The name of a code's example in the format of a path. */
const nameOf = (path: string, code: ErrorCode) => (isNested(path, code) ? `${code}_nested` : code);

/** The examples of these codes as they are answered on a path. */
export const examplesOf = (path: string, codes: readonly ErrorCode[]): Json =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${nameOf(path, code)}` }]));

/** Every code some operation is refused with, in each format it is answered in: `components.examples`. */
export const errorExamples = (): Json =>
  Object.fromEntries(
    GROUPS.flatMap(({ operations }) => operations)
      .flatMap((operation) => codesOf(operation).map((code) => ({ path: operation.path, code })))
      .map(({ path, code }) => [nameOf(path, code), { summary: ERRORS[code].title, value: toAnswer(path, code) }]),
  );

function toAnswer(path: string, code: ErrorCode): Json {
  const { message, ...facts } = SAID[code];
  const whole = { message, ...facts, request_id: REQUEST, docs: `https://api.tandem.example${ERRORS_PATH}#${code}` };
  return isNested(path, code) ? { error: { code, ...whole } } : { error: ERRORS[code].title, code, ...whole };
}
