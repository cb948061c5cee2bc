import type * as z from 'zod';
import type { Operation } from '../../schema/api/operation.ts';
import type { Json } from '../http/whole-schema.ts';
import { shownIn } from './examples/example.ts';
import { EXAMPLES } from './examples.ts';
import { bodySchema, fieldsOf, jsonSchema } from './json-schema.ts';
import { codesOf } from './refusals.ts';
import { responsesOf } from './responses.ts';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Key of your choice that makes a retry safe. If you send the same request with the same `Idempotency-Key` within 24 hours, Tandem returns the stored response and does not act again. Tandem compares a key only with keys that the same platform sent for the same operation. The value of `Idempotency-Key` may be bare or in double quotes.',
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
};

/** Ways to send each kind of API key, as `components.securitySchemes` of the OpenAPI document. */
export const SECURITY_SCHEMES = {
  platform_key: { type: 'http', scheme: 'bearer', description: 'Secret key of a platform, `sk_live_…`.' },
  platform_key_header: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Secret key of a platform, sent in the header `X-API-Key` instead of `Authorization`.',
  },
  user_key: { type: 'http', scheme: 'bearer', description: 'API key of a user, `sk_user_…`.' },
  user_key_header: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'API key of a user, sent in the header `X-API-Key` instead of `Authorization`.',
  },
};

const SECURITY = {
  platform: [{ platform_key: [] }, { platform_key_header: [] }],
  user: [{ user_key: [] }, { user_key_header: [] }],
  none: [],
  open: [],
};

const RETRY_KEY =
  'Random UUID (version 4 or 7) that makes a retry safe. With `keep_old_for_hours`, a retry that is sent with the same old API key and the same `Idempotency-Key` returns the same new API key. The value of `Idempotency-Key` may be bare or in double quotes.';

/** Returns an endpoint as an operation object of the OpenAPI document. */
export function describeOperation(operation: Operation, tag: string): Json {
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
    ...(description === undefined ? {} : { description }),
    security: SECURITY[key],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !isBodyOptional,
            content: { 'application/json': { schema: bodySchema(body), ...shownIn(example, 'body') } },
          },
        }),
    responses: responsesOf(operation, codesOf(operation)),
  };
}

function parametersOf(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  examples: Record<string, string> = {},
  shown: Operation['shown'] = {},
): Json[] {
  if (schema === undefined) return [];
  const { properties, required } = fieldsOf(schema);
  return Object.entries(properties).map(([name, own]) => {
    const { description, ...field } = shown[name] === undefined ? own : jsonSchema(shown[name]);
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: field,
      ...(examples[name] === undefined ? {} : { example: readAs(field, examples[name]) }),
    };
  });
}

/** Parses the text of an example URL parameter into the type that the parameter's schema gives. */
const readAs = ({ type }: Json, text: string) => (type === 'string' || type === undefined ? text : JSON.parse(text));
