import * as errors from '../../lib/kit/errors.ts';
import { ERRORS, ERRORS_PATH, type ErrorCode, FIELD_CODES, isNested } from '../../schema/api/http-errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
import { MOST_OPEN } from '../../schema/api/proposals.ts';
import { GROUPS } from '../http/groups.ts';
import type { Json } from '../http/whole-schema.ts';
import examples from './examples.json' with { type: 'json' };
import { fieldsOf } from './json-schema.ts';

type Named = { name: string; summary: string };

export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
  named?: Named;
  others?: (Named & { body?: unknown; answer?: unknown })[];
}

/**
 * The keys are operation ids. Read in order, the examples tell one story. `openapi-examples.long.test.ts` plays the
 * story and writes them.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = examples;

export function shownIn({ named, others, ...example }: Example, part: 'body' | 'answer') {
  if (named === undefined || others === undefined) return { example: example[part] };
  const all = [{ ...named, body: example.body, answer: example.answer }, ...others];
  return {
    examples: Object.fromEntries(all.map(({ name, summary, ...one }) => [name, { summary, value: one[part] }])),
  };
}

const OF_KEYS: ErrorCode[] = ['unauthorized', 'forbidden'];
const OF_BODIES: ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const OF_IDEMPOTENCY: ErrorCode[] = ['invalid_request', 'idempotency_in_progress', 'idempotency_key_reused'];

export function codesOf({ method, key, path, query, body, codes = {}, errors = [], ...more }: Operation): ErrorCode[] {
  const given = [query, body].filter((schema) => schema !== undefined);
  const fields = given.flatMap((schema) => Object.keys(fieldsOf(schema).properties));
  const ofFields = fields.flatMap((field) => Object.values(codes[field] ?? FIELD_CODES[field] ?? {}));
  // An operation that changes something reads its body even if it has no fields, to refuse any.
  const isBodyRead = body !== undefined || method !== 'get';
  const isChecked = isBodyRead || (query !== undefined && more.pages === undefined) || path.includes('{email}');
  return [
    ...(isChecked ? (['invalid_request'] as const) : []),
    ...ofFields,
    ...(isBodyRead ? OF_BODIES : []),
    ...(more.takesIdempotencyKey ? OF_IDEMPOTENCY : []),
    ...(more.retriesByKey ? (['invalid_request', 'idempotency_key_reused'] as const) : []),
    ...(key === 'platform' || key === 'user' ? OF_KEYS : []),
    ...(key === 'platform' ? (['platform_suspended'] as const) : []),
    ...errors,
    ...(key === 'open' ? [] : (['rate_limited'] as const)),
    'internal_error',
  ];
}

type Said = { message: string } & Record<string, unknown>;

const ADA = 'ada@example.com';
const DEMO = examples.getJob.answer.result.meeting_id;
const REQUEST = 'req_2nBq7';
const RESETS_AT = '2030-01-07T09:01:00.000Z';
const MONTH_RESETS_AT = '2030-02-01T00:00:00.000Z';

const SAID: Record<ErrorCode, string | Said | errors.AppError> = {
  ...errors.FIXED,
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
  unauthorized: errors.userGone(),
  forbidden: errors.meetingForbidden(),
  not_found:
    'No change of your learned weights has the ID in the request. GET /v1/user/learning lists the changes with their IDs.',
  user_not_found: errors.userNotFound(ADA),
  connection_not_found: `${ADA} has no calendar connected to this platform, so there is nothing to disconnect. GET /v1/calendars lists your connections.`,
  calendar_reconnect_required: errors.reconnectRequired(ADA),
  unknown_time_zone: errors.unknownTimeZone(ADA),
  method_not_allowed: '/v1/schedule does not accept GET. Use one of the methods in the response header Allow.',
  no_availability:
    'The two people have no free time in common. The meeting was not moved. Send another reason, or move the meeting to a time of your choice with PUT /v1/meetings/{meeting_id}.',
  slot_unavailable: {
    message: 'Nothing was booked: Bob is not free then. Book one of the alternatives instead.',
    field: 'start_time',
    alternatives: examples.findAvailability.answer.slots,
  },
  reason_unclear: {
    message:
      'Nothing was changed, because these words about time were not understood: “the week of the big push”. Say the time in other words, or take one of the alternatives.',
    field: 'reason',
    alternatives: examples.findAvailability.answer.slots,
  },
  idempotency_in_progress:
    'The first request with this Idempotency-Key is still in progress. Send the same request again in 5 seconds.',
  job_ended: `This job has already completed, so it can no longer be cancelled. Its meeting ${DEMO} stays. To cancel the meeting, call DELETE /v1/meetings/${DEMO}.`,
  batch_not_planned: errors.batchNotPlanned({ isDryRun: true, status: 'processing' }),
  proposal_ended: errors.proposalEnded('expired'),
  proposal_busy: errors.proposalBusy(),
  time_unavailable: errors.timeUnavailable(2),
  too_many_proposals: errors.tooManyProposals(MOST_OPEN),
  meeting_busy: errors.meetingBusy(),
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

function factsOf(said: string | Said | errors.AppError): object {
  if (typeof said === 'string') return { message: said };
  if (!(said instanceof errors.AppError)) return said;
  const { field, email } = said.details;
  return { message: said.message, ...(field && { field }), ...(email && { email }) };
}

function toAnswer(path: string, code: ErrorCode): Json {
  const whole = {
    ...factsOf(SAID[code]),
    request_id: REQUEST,
    docs: `https://api.tandem.example${ERRORS_PATH}#${code}`,
  };
  return isNested(path, code) ? { error: { code, ...whole } } : { error: ERRORS[code].title, code, ...whole };
}
