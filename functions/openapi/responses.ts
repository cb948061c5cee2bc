import { ERRORS, type ErrorCode, FlatError, isNested, LimitError, NestedError } from '../../schema/api/http-errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
import type { Json } from '../http/whole-schema.ts';
import { examplesOf } from './error-examples.ts';
import { shownIn } from './examples/example.ts';
import { EXAMPLES } from './examples.ts';
import { jsonSchema } from './json-schema.ts';

const header = (description: string, type: 'string' | 'integer') => ({ description, schema: { type } });

/** Response headers that several operations share, as `components.headers` of the OpenAPI document. */
export const HEADERS = {
  'X-Request-Id': header(
    'ID of the request. If you send an ID of your own, of up to 64 letters, digits, _ and -, Tandem uses your ID.',
    'string',
  ),
  'X-RateLimit-Limit': header(
    'Number of requests that you can send per minute. Absent on plans without a limit.',
    'integer',
  ),
  'X-RateLimit-Remaining': header(
    'Number of requests that you can still send in the current minute of the rate limit.',
    'integer',
  ),
  'X-RateLimit-Reset': header('Time at which the current minute of the rate limit ends, in Unix seconds.', 'integer'),
  'Retry-After': header(
    'Number of seconds to wait before you send the request again. Absent if the number is unknown.',
    'integer',
  ),
  'WWW-Authenticate': header('Always `Bearer`: send the API key in the header `Authorization: Bearer`.', 'string'),
  'Idempotent-Replayed': header(
    '`true` if the response is the stored response of an earlier request with the same `Idempotency-Key`.',
    'string',
  ),
};
type Header = keyof typeof HEADERS;

const RATE: Header[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const WAITS: ErrorCode[] = ['idempotency_in_progress', 'meeting_busy', 'proposal_busy', 'calendar_unavailable'];

const refs = (names: Header[]) =>
  Object.fromEntries(
    ['X-Request-Id' as const, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

export function responsesOf(operation: Operation, codes: readonly ErrorCode[]): Json {
  const { answer, id, path, key, pages = {}, takesIdempotencyKey } = operation;
  const headers: Header[] = [
    ...(key === 'open' ? [] : RATE),
    ...(takesIdempotencyKey ? ['Idempotent-Replayed' as const] : []),
  ];
  const success = {
    description: answer.is,
    headers: refs(headers),
    ...('schema' in answer
      ? {
          content: {
            'application/json': { schema: jsonSchema(answer.schema), ...shownIn(EXAMPLES[id] ?? {}, 'answer') },
          },
        }
      : {}),
  };
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status);
  return {
    [answer.status ?? 200]: success,
    ...Object.fromEntries([...byStatus].map(([status, some]) => [status, failure(path, status, some)])),
    ...Object.fromEntries(
      Object.entries(pages).map(([status, is]) => [status, page(is, status === '200' ? RATE : [])]),
    ),
  };
}

const page = (description: string, headers: Header[]) => ({
  description,
  headers: refs(headers),
  content: { 'text/html': { schema: { type: 'string' } } },
});

function failure(path: string, status: number, codes: ErrorCode[]) {
  const waits: Header[] = status === 429 || codes.some((code) => WAITS.includes(code)) ? ['Retry-After'] : [];
  const challenge: Header[] = status === 401 ? ['WWW-Authenticate'] : [];
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join('; '),
    headers: refs([...(status === 429 ? RATE : []), ...waits, ...challenge]),
    content: {
      'application/json': { schema: jsonSchema(schemaOf(path, status, codes)), examples: examplesOf(path, codes) },
    },
  };
}

const schemaOf = (path: string, status: number, codes: readonly ErrorCode[]) => {
  if (codes.some((code) => isNested(path, code))) return NestedError;
  return status === 429 ? LimitError : FlatError;
};
