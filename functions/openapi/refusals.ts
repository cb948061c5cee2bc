import { type ErrorCode, FIELD_CODES } from '../../schema/api/http-errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
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
