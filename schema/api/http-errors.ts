import * as z from 'zod';
import { answer, docs } from '#docs';
import { objectOf, optionalOf, stringOf } from './fields.ts';
import { Slot } from './slot.ts';

/**
 * Entry of the table of errors: HTTP status and title. For a 409, `keeps` says if the error is stored as the answer of
 * the request's `Idempotency-Key`. It is stored only if a retry would always get the same error again. An error that
 * the caller can fix, that passes by itself or that is Tandem's fault is not stored, so that a retry can succeed.
 */
type Row =
  | { status: 409; keeps: boolean; title: string }
  | { status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 429 | 500; title: string };

export const ERRORS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_attendees: { status: 400, title: 'Invalid attendees' },
  invalid_time: { status: 400, title: 'Invalid time' },
  invalid_duration: { status: 400, title: 'Invalid duration' },
  invalid_date_range: { status: 400, title: 'Invalid date range' },
  invalid_email: { status: 400, title: 'Invalid email format' },
  missing_email: { status: 400, title: 'Missing email parameter' },
  invalid_redirect_uri: { status: 400, title: 'Invalid redirect URI' },
  too_many_redirect_uris: { status: 400, title: 'Too many redirect URIs' },
  invalid_webhook_url: { status: 400, title: 'Invalid webhook URL' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  platform_suspended: { status: 403, title: 'Platform suspended' },
  not_found: { status: 404, title: 'Not found' },
  user_not_found: { status: 404, title: 'User not found' },
  meeting_not_found: { status: 404, title: 'Meeting not found' },
  job_not_found: { status: 404, title: 'Job not found' },
  batch_not_found: { status: 404, title: 'Batch not found' },
  proposal_not_found: { status: 404, title: 'Proposal not found' },
  connection_not_found: { status: 404, title: 'Connection not found' },
  calendar_reconnect_required: { status: 404, title: 'Calendar must be connected again' },
  webhook_not_configured: { status: 404, title: 'Webhook not configured' },
  delivery_not_found: { status: 404, title: 'Delivery not found' },
  unknown_time_zone: { status: 409, keeps: false, title: 'Unknown time zone' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  no_availability: { status: 409, keeps: true, title: 'No availability' },
  slot_unavailable: { status: 409, keeps: true, title: 'Slot unavailable' },
  reason_unclear: { status: 409, keeps: true, title: 'Reason not understood' },
  webhook_disabled: { status: 409, keeps: false, title: 'Webhook disabled' },
  delivery_in_progress: { status: 409, keeps: false, title: 'Delivery in progress' },
  secret_rotated: { status: 409, keeps: false, title: 'Secret rotated meanwhile' },
  idempotency_in_progress: { status: 409, keeps: false, title: 'Request in progress' },
  job_ended: { status: 409, keeps: false, title: 'Job has ended' },
  batch_ended: { status: 409, keeps: false, title: 'Batch has ended' },
  batch_not_planned: { status: 409, keeps: false, title: 'Batch is not planned' },
  proposal_ended: { status: 409, keeps: false, title: 'Proposal has ended' },
  proposal_busy: { status: 409, keeps: false, title: 'Proposal is being accepted' },
  time_unavailable: { status: 409, keeps: false, title: 'Time is no longer free' },
  too_many_proposals: { status: 409, keeps: false, title: 'Too many open proposals' },
  meeting_busy: { status: 409, keeps: false, title: 'Meeting is being changed' },
  calendar_refused: { status: 409, keeps: false, title: 'Calendar refused the request' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  quota_exceeded: { status: 429, title: 'Monthly meeting limit reached' },
  too_many_regenerations: { status: 429, title: 'Too many regeneration attempts' },
  calendar_unavailable: { status: 500, title: 'Calendar unavailable' },
  internal_error: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** They are for a wrong value and, where the codes differ, for a missing field and for too many items. */
export type FieldCodes = { wrong: ErrorCode; missing?: ErrorCode; tooMany?: ErrorCode };

/** Fields whose error codes are the same in every request. */
export const FIELD_CODES: Readonly<Record<string, FieldCodes>> = {
  attendees: { wrong: 'invalid_attendees' },
  duration_minutes: { wrong: 'invalid_duration' },
  start_time: { wrong: 'invalid_time' },
  times: { wrong: 'invalid_time' },
  time_ranges: { wrong: 'invalid_time' },
  end_time: { wrong: 'invalid_time' },
  date_range: { wrong: 'invalid_date_range' },
  preferred_time_range: { wrong: 'invalid_time' },
};

const NESTED_PATH = /^\/v1\/(?:availability|schedule|meetings|jobs|batches|proposals)(?:\/|$)/;

/** These codes do not depend on the endpoint, so they use the flat format on every path. */
const isFlatEverywhere = (code: ErrorCode) => code === 'not_found' || [401, 403, 429].includes(ERRORS[code].status);

/** Decided in schema/DECISIONS.md, "Error answers". */
export const isNested = (path: string, code: ErrorCode) => NESTED_PATH.test(path) && !isFlatEverywhere(code);

/** The page that explains every code, under an anchor named after the code. */
export const ERRORS_PATH = '/docs/errors';

const CODE = docs('Code of the kind of error, for programs.');

const facts = answer(() => ({
  message: stringOf(
    'Cause of the error, and what to do about it. For a 500 error the message includes the request ID.',
  ),
  field: z.string().optional().describe('Path of the request field that caused the error.'),
  email: z.string().optional().describe('Email address of the person the error is about.'),
  request_id: stringOf(
    'ID of the request, as in the header `X-Request-Id`. In a replayed response, it is the ID of the first request with the same `Idempotency-Key`.',
  ),
  docs: z.string().describe('URL of the documentation of this error code.'),
}));

/** The API specification requires this format for availability and scheduling (`isNested`). */
export const NestedError = answer(() => ({
  error: objectOf('Error with its code, its message and further facts.', {
    code: z.enum(ERROR_CODES.filter((code) => !isFlatEverywhere(code))).describe(CODE),
    ...facts.shape,
    alternatives: optionalOf(
      z.array(Slot),
      'Free times to book instead, best first. Present only if `code` is `slot_unavailable` or `reason_unclear`.',
    ),
  }),
}));

export type NestedError = z.infer<typeof NestedError>;

/** Paths without nested errors use it. On every path, 401, 403, 429 and errors about unknown paths use it too. */
export const FlatError = answer(() => ({
  error: z
    .enum(ERROR_CODES.map((code) => ERRORS[code].title))
    .describe('Title of the error, which is its code in words.'),
  code: z.enum(ERROR_CODES).describe(CODE),
  ...facts.shape,
}));

export type FlatError = z.infer<typeof FlatError>;

/** The body of every 429. It uses the flat error format on every path. */
export const LimitError = answer(() => ({
  ...FlatError.shape,
  limit: z.int().optional().describe('Largest number of requests or meetings that the limit allows.'),
  used: z.int().optional().describe('Number of requests or meetings that count against the limit so far.'),
  resets_at: z.string().describe('Time from which requests are accepted again, ISO 8601 in UTC.'),
}));
