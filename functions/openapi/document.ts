import type * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import {
  ERRORS,
  ERRORS_PATH,
  type ErrorCode,
  FlatError,
  isNested,
  LimitError,
  NestedError,
} from '../../schema/api/http-errors.ts';
import { GROUPS, type NamedOperation } from '../http/groups.ts';
import type { Json } from '../http/whole-schema.ts';
import { codesOf, EXAMPLES, errorExamples, examplesOf, shownIn } from './examples.ts';
import { bodySchema, fieldsOf, jsonSchema, namedSchemas } from './json-schema.ts';
import { describeWebhooks } from './webhooks.ts';

const DESCRIPTION = `Two connected calendars, the best times for both, one booking, signed webhooks.

Request bodies are JSON. Tandem ignores unknown fields in a request, and names them in \`warnings\` of the response. Endpoints that save preferences or settings refuse unknown fields with the status 400. Date-times are ISO 8601 with an offset or Z.

Errors on availability, scheduling, batch, meeting, proposal and job paths are nested: \`{"error": {"code", "message", …}}\`. All other errors are flat: \`{"error", "message", …}\`. Errors with the status 401, 403 or 429 and errors for unknown paths are flat on every path. Both error formats have \`code\`, \`request_id\` and \`docs\`. ${ERRORS_PATH} explains every code.

Every response has the header \`X-Request-Id\`. Every response to a request that counts against a rate limit has \`X-RateLimit-*\` headers. Webhook receivers should ignore fields that they do not know, because we may add fields.`;

export function openapiDocument(baseUrl: string) {
  const described = GROUPS.flatMap(({ tag, operations }) =>
    operations.map((operation) => ({ ...operation, json: describeOperation(operation, tag) })),
  );
  const byPath = Map.groupBy(described, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tandem',
      version: packageJson.version,
      summary: packageJson.description,
      description: DESCRIPTION,
      contact: { name: 'Tandem', url: baseUrl },
      license: {
        name: 'No license has been chosen yet: all rights reserved',
        identifier: 'LicenseRef-All-Rights-Reserved',
      },
    },
    servers: [{ url: baseUrl }],
    tags: [
      ...GROUPS.map(({ tag, description }) => ({ name: tag, description })),
      { name: 'Events', description: "Events that Tandem sends to the platform's webhook." },
    ],
    paths: Object.fromEntries(
      [...byPath].map(([path, of]) => [path, Object.fromEntries(of.map(({ method, json }) => [method, json]))]),
    ),
    webhooks: describeWebhooks(),
    components: {
      schemas: namedSchemas(),
      examples: errorExamples(),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Key of your choice that makes a retry safe. If you send the same request with the same `Idempotency-Key` within 24 hours, Tandem returns the stored response and does not act again. Tandem compares a key only with keys that the same platform sent for the same operation. The value of `Idempotency-Key` may be bare or in double quotes.',
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
};

const inHeader = (description: string) => ({ type: 'apiKey', in: 'header', name: 'X-API-Key', description });

const SECURITY_SCHEMES = {
  platform_key: { type: 'http', scheme: 'bearer', description: 'Secret key of a platform, `sk_live_…`.' },
  platform_key_header: inHeader('Secret key of a platform, sent in the header `X-API-Key` instead of `Authorization`.'),
  user_key: { type: 'http', scheme: 'bearer', description: 'API key of a user, `sk_user_…`.' },
  user_key_header: inHeader('API key of a user, sent in the header `X-API-Key` instead of `Authorization`.'),
};

const SECURITY = {
  platform: [{ platform_key: [] }, { platform_key_header: [] }],
  user: [{ user_key: [] }, { user_key_header: [] }],
  none: [],
  open: [],
};

const RETRY_KEY =
  'Random UUID (version 4 or 7) that makes a retry safe. With `keep_old_for_hours`, a retry that is sent with the same old API key and the same `Idempotency-Key` returns the same new API key. The value of `Idempotency-Key` may be bare or in double quotes.';

function describeOperation(operation: NamedOperation, tag: string): Json {
  const { id, summary, description, key, body, isBodyOptional, takesIdempotencyKey, retriesByKey } = operation;
  const example = EXAMPLES[id] ?? {};
  const parameters = [
    ...parametersOf('path', operation.params, example.params),
    ...parametersOf('query', operation.query, example.query, operation.shown),
    ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(retriesByKey ? [{ ...IDEMPOTENCY_KEY, description: RETRY_KEY }] : []),
  ];
  return {
    tags: [tag],
    operationId: id,
    summary,
    description,
    security: SECURITY[key],
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body && {
      required: !isBodyOptional,
      content: { 'application/json': { schema: bodySchema(body), ...shownIn(example, 'body') } },
    },
    responses: responsesOf(operation, codesOf(operation)),
  };
}

function parametersOf(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  examples: Record<string, string> = {},
  shown: NamedOperation['shown'] = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = fieldsOf(schema);
  return Object.entries(properties).map(([name, own]) => {
    const { description, ...field } = shown[name] === undefined ? own : jsonSchema(shown[name]);
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema: field,
      example: examples[name] && readAs(field, examples[name]),
    };
  });
}

const readAs = ({ type }: Json, text: string) => (type === 'string' || type === undefined ? text : JSON.parse(text));

const string = (description: string) => ({ description, schema: { type: 'string' } });
const integer = (description: string) => ({ description, schema: { type: 'integer' } });

const HEADERS = {
  'X-Request-Id': string(
    'ID of the request. If you send an ID of your own, of up to 64 letters, digits, _ and -, Tandem uses your ID.',
  ),
  'X-RateLimit-Limit': integer('Number of requests that you can send per minute. Absent on plans without a limit.'),
  'X-RateLimit-Remaining': integer(
    'Number of requests that you can still send in the current minute of the rate limit.',
  ),
  'X-RateLimit-Reset': integer('Time at which the current minute of the rate limit ends, in Unix seconds.'),
  'Retry-After': integer(
    'Number of seconds to wait before you send the request again. Absent if the number is unknown.',
  ),
  'WWW-Authenticate': string('Always `Bearer`: send the API key in the header `Authorization: Bearer`.'),
  'Idempotent-Replayed': string(
    '`true` if the response is the stored response of an earlier request with the same `Idempotency-Key`.',
  ),
};
type Header = keyof typeof HEADERS;

const RATE: Header[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const WAITS: ErrorCode[] = ['idempotency_in_progress', 'meeting_busy', 'proposal_busy', 'calendar_unavailable'];

const refs = (names: Header[]) =>
  Object.fromEntries(
    ['X-Request-Id' as const, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

function responsesOf(operation: NamedOperation, codes: readonly ErrorCode[]): Json {
  const { answer, id, path, key, pages = {}, takesIdempotencyKey } = operation;
  const headers: Header[] = [
    ...(key === 'open' ? [] : RATE),
    ...(takesIdempotencyKey ? ['Idempotent-Replayed' as const] : []),
  ];
  const success = {
    description: answer.is,
    headers: refs(headers),
    ...('schema' in answer && {
      content: { 'application/json': { schema: jsonSchema(answer.schema), ...shownIn(EXAMPLES[id] ?? {}, 'answer') } },
    }),
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
