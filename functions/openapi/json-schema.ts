import * as z from 'zod';
import * as errors from '../../schema/api/http-errors.ts';
import type { Operation } from '../../schema/api/operation.ts';
import * as paging from '../../schema/api/paging.ts';
import * as slot from '../../schema/api/slot.ts';
import { APIS, GROUPS } from '../http/groups.ts';
import { isJson, type Json, OPTIONS, wholeSchema, withoutIds } from '../http/whole-schema.ts';

/** Schemas that the API's contract exports under a name. They keep their names in the OpenAPI document. */
const NAMED = [slot, paging, ...APIS, errors].flatMap((module) =>
  Object.entries<unknown>(module).flatMap(([name, value]) =>
    value instanceof z.ZodType && /^[A-Z]/.test(name) ? [[name, value] as const] : [],
  ),
);

const registry = z.registry<{ id: string }>();
const names = new Map<z.ZodType, string>();
for (const [id, schema] of NAMED) {
  registry.add(schema, { id });
  names.set(schema, id);
}

const uri = (id: string) => `#/components/schemas/${id}`;

/** Sorted by name. Optional fields of request bodies also accept `null`. */
export function namedSchemas(): Json {
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri });
  const inBodies = namesWithin(schemas, BODIES);
  return Object.fromEntries(
    Object.keys(schemas)
      .toSorted()
      .map((id) => {
        const schema = schemas[id] as Json;
        const taken = inBodies.has(id) ? takingNull(schema) : schema;
        return [id, withoutIds(CLOSED.includes(id) ? closed(taken) : taken)];
      }),
  );
}

export const bodySchema = (schema: z.ZodType): Json =>
  names.has(schema) ? jsonSchema(schema) : takingNull(wholeSchema(schema));

export function jsonSchema(schema: z.ZodType): Json {
  const name = names.get(schema);
  return name === undefined ? wholeSchema(schema) : { $ref: uri(name) };
}

const Fields = z.object({
  properties: z.record(z.string(), z.looseObject({})).default({}),
  required: z.array(z.string()).default([]),
});

export const fieldsOf = (schema: z.ZodType) => Fields.parse(z.toJSONSchema(schema, OPTIONS));

const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);
const nameOfBody = ({ body }: Operation) => (body && names.get(body)) ?? [];
const BODIES = OPERATIONS.flatMap(nameOfBody);
const CLOSED = OPERATIONS.filter(({ refusesUnknownFields }) => refusesUnknownFields).flatMap(nameOfBody);

function namesWithin(schemas: Json, from: readonly string[]): Set<string> {
  const found = new Set(from);
  // The loop also comes to the names that it adds.
  for (const name of found)
    for (const [, ref = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      found.add(ref);
  return found;
}

function takingNull(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]) => [key, isJson(part) ? takingNull(part) : part] as const);
  const copy: Json = Object.fromEntries(parts);
  const { properties, required = [] } = copy;
  if (!isJson(properties)) return copy;
  const optional = Object.entries(properties).map(([name, field]) => {
    const isRequired = (required as string[]).includes(name);
    return [name, isRequired || !isJson(field) ? field : orNull(field)] as const;
  });
  return { ...copy, properties: Object.fromEntries(optional) };
}

function closed(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]) => [key, isJson(part) ? closed(part) : part] as const);
  return { ...Object.fromEntries(parts), ...(isJson(schema.properties) ? { additionalProperties: false } : {}) };
}

/** The description names the default, because client generators take a field with `default` as always present. */
function orNull({ description, default: unset, ...field }: Json): Json {
  const said = [description, ...(unset === undefined ? [] : [`Default: ${JSON.stringify(unset)}.`])];
  return { description: said.join(' '), anyOf: [field, { type: 'null' }] };
}
