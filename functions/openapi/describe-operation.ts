import type * as z from 'zod';
import type { Operation } from '../../schema/api/operation.ts';
import { EXAMPLES } from './examples.ts';
import { bodySchema, fieldsOf, type Json, jsonSchema } from './json-schema.ts';
import { codesOf } from './refusals.ts';
import { responsesOf } from './responses.ts';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Bare or quoted, per platform and operation. The same key with the same request within 24 hours gets the stored answer and does nothing twice.',
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
};

/** The ways to send a key of each kind, as `components.securitySchemes`. */
export const SECURITY_SCHEMES = {
  platform_key: { type: 'http', scheme: 'bearer', description: "A platform's secret key, `sk_live_…`" },
  platform_key_header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same as a header' },
  user_key: { type: 'http', scheme: 'bearer', description: "A user's key, `sk_user_…`" },
  user_key_header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same as a header' },
};

const SECURITY = {
  platform: [{ platform_key: [] }, { platform_key_header: [] }],
  user: [{ user_key: [] }, { user_key_header: [] }],
  none: [],
  open: [],
};

/** An endpoint as an OpenAPI operation. */
export function describeOperation(operation: Operation, tag: string): Json {
  const { id, summary, description, key, body, isBodyOptional, takesIdempotencyKey } = operation;
  const example = EXAMPLES[id] ?? {};
  const parameters = [
    ...parametersOf('path', operation.params, example.params),
    ...parametersOf('query', operation.query, example.query, operation.shown),
    ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
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
            content: { 'application/json': { schema: bodySchema(body), example: example.body } },
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

/** What stands in the address as text, as what its schema says it is. */
const readAs = ({ type }: Json, text: string) => (type === 'string' || type === undefined ? text : JSON.parse(text));
