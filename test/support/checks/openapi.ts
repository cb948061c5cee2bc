import * as z from 'zod';
import { openapiDocument } from '../../../functions/openapi/document.ts';

export type Json = Record<string, unknown>;

interface MediaType {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

interface Content {
  content?: Record<string, MediaType>;
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Json; example?: unknown }[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content & { description: string; headers?: Json }>;
}

interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; contact: Json };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: {
    schemas: Record<string, Json>;
    examples: Record<string, { value: unknown }>;
    headers: Json;
    securitySchemes: Json;
  };
}

/** Returns the document as its readers get it: serialized and parsed again. */
export const readDocument = (): OpenapiDocument => JSON.parse(JSON.stringify(openapiDocument('https://api.test')));

const document = readDocument();

/** Lists every operation of the document under its method and path, such as `GET /v1/jobs/{job_id}`. */
export const documented = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

/** Makes a check from a schema of the document, using its JSON alone. Throws if it is not a valid JSON Schema. */
export function compile(schema: Json): z.ZodType {
  const whole = { ...schema, $defs: namedIn(schema) };
  return z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')));
}

/** Returns the named schemas that a schema refers to, also through other named schemas. All of them would take long. */
function namedIn(schema: Json): Json {
  const found: Json = {};
  const left: unknown[] = [schema];
  while (left.length > 0)
    for (const [, name = ''] of JSON.stringify(left.pop()).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const named = document.components.schemas[name];
      if (named === undefined || name in found) continue;
      found[name] = named;
      left.push(named);
    }
  return found;
}

/** Like `compile`, but the check also refuses every field that the schema does not name. */
export const compileClosed = (schema: Json) => compile(closed(flattened(schema)) as Json);

/** Resolves all references of a schema. */
export const flattened = (value: unknown): Json => JSON.parse(JSON.stringify(value, resolve)) as Json;

function resolve(_key: string, value: unknown): unknown {
  const ref = (value as { $ref?: unknown } | null)?.$ref;
  if (typeof ref !== 'string') return value;
  return document.components.schemas[ref.replace('#/components/schemas/', '')];
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'allOf' ? part : closed(part)]),
  );
  const isObject = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isObject ? { ...inner, additionalProperties: false } : inner;
}
