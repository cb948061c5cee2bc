import * as z from 'zod';
import { Slot } from './slot.ts';

/** Status and title of every way a request can be refused. */
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
  not_found: { status: 404, title: 'Not found' },
  user_not_found: { status: 404, title: 'User not found' },
  meeting_not_found: { status: 404, title: 'Meeting not found' },
  job_not_found: { status: 404, title: 'Job not found' },
  connection_not_found: { status: 404, title: 'Connection not found' },
  calendar_reconnect_required: { status: 404, title: 'Calendar must be connected again' },
  webhook_not_configured: { status: 404, title: 'Webhook not configured' },
  delivery_not_found: { status: 404, title: 'Delivery not found' },
  unknown_time_zone: { status: 409, title: 'Unknown time zone' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  no_availability: { status: 409, title: 'No availability' },
  slot_unavailable: { status: 409, title: 'Slot unavailable' },
  webhook_disabled: { status: 409, title: 'Webhook disabled' },
  delivery_in_progress: { status: 409, title: 'Delivery in progress' },
  secret_rotated: { status: 409, title: 'Secret rotated meanwhile' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
  meeting_busy: { status: 409, title: 'Meeting is being changed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Rate limit exceeded' },
  quota_exceeded: { status: 429, title: 'Monthly meeting limit reached' },
  too_many_regenerations: { status: 429, title: 'Too many regeneration attempts' },
  calendar_unavailable: { status: 500, title: 'Calendar unavailable' },
  calendar_refused: { status: 500, title: 'Calendar refused the change' },
  internal_error: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** What a field is refused with: when it is wrong, and, where that is told apart, not there or too many. */
export interface FieldCodes {
  wrong: ErrorCode;
  missing?: ErrorCode;
  tooMany?: ErrorCode;
}

/** Codes of fields that have one of their own wherever they stand. */
export const FIELD_CODES: Readonly<Record<string, FieldCodes>> = {
  attendees: { wrong: 'invalid_attendees' },
  duration_minutes: { wrong: 'invalid_duration' },
  start_time: { wrong: 'invalid_time' },
  end_time: { wrong: 'invalid_time' },
  date_range: { wrong: 'invalid_date_range' },
  preferred_time_range: { wrong: 'invalid_time' },
};

const NESTED_PATH = /^\/v1\/(?:availability|schedule|meetings|jobs)(?:\/|$)/;

/** What belongs to no endpoint group is not in its format either. */
const isFlatEverywhere = (code: ErrorCode) => code === 'not_found' || [401, 403, 429].includes(ERRORS[code].status);

/** Whether a failure on this path is answered in the nested format (`interface.md`, Errors). */
export const isNested = (path: string, code: ErrorCode) => NESTED_PATH.test(path) && !isFlatEverywhere(code);

/** The page that explains every code, each under its name. */
export const ERRORS_PATH = '/docs/errors';

const CODE = 'What went wrong, for programs';

const facts = {
  message: z.string().describe('What is wrong and what to do; with a status from 500 on it names the request'),
  field: z.string().optional().describe('The offending field, with the fields it stands in'),
  email: z.string().optional().describe('The person it is about'),
  request_id: z
    .string()
    .describe('Names the request, as X-Request-Id does; in a stored answer the one that got it first'),
  docs: z.string().describe('Where the code is explained'),
};

/** Errors of availability, scheduling, meetings and jobs (`interface.md`, Errors). */
export const NestedError = z.object({
  error: z
    .object({
      code: z.enum(ERROR_CODES.filter((code) => !isFlatEverywhere(code))).describe(CODE),
      ...facts,
      alternatives: z.array(Slot).optional().describe('Only with slot_unavailable: free times, best first'),
    })
    .describe('What went wrong'),
});

export type NestedError = z.infer<typeof NestedError>;

/** Errors everywhere else, and 401, 403 and unknown paths everywhere. */
export const FlatError = z.object({
  error: z.enum(ERROR_CODES.map((code) => ERRORS[code].title)).describe('The title of the code'),
  code: z.enum(ERROR_CODES).describe(CODE),
  ...facts,
});

export type FlatError = z.infer<typeof FlatError>;

/** The flat answer of every 429. */
export const LimitError = FlatError.extend({
  limit: z.int().optional().describe('How many requests or meetings there are'),
  used: z.int().optional().describe('How many of them are used'),
  resets_at: z.string().describe('From when on it works again, ISO 8601 in UTC'),
});
