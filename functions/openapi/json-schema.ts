import * as z from 'zod';
import type { Operation } from '../../schema/api/operation.ts';
import { GROUPS, NAMED } from '../groups.ts';

export type Json = Record<string, unknown>;

const registry = z.registry<{ id: string }>();
const names = new Map<z.ZodType, string>();
for (const [id, schema] of NAMED) {
  registry.add(schema, { id });
  names.set(schema, id);
}

const uri = (id: string) => `#/components/schemas/${id}`;

type Written = { format?: string; pattern?: string; minimum?: number; maximum?: number };

/** What is sent, or received: before defaults and transforms, and open to fields that come later. */
const OPTIONS = {
  io: 'input',
  override: ({ jsonSchema }: { jsonSchema: Written }) => {
    // The format says it better than the pattern; a format of the library's own says nothing.
    if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    else if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

/** The schemas that have a name, as `components.schemas` in order of it; those of bodies take `null` for what may be left out. */
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

/** A schema whole, with what it refers to in its place. */
export const wholeSchema = (schema: z.ZodType): Json => withoutIds(z.toJSONSchema(schema, OPTIONS));

/** A body's schema as it stands in the document. */
export function bodySchema(schema: z.ZodType): Json {
  const name = names.get(schema);
  return name === undefined ? takingNull(wholeSchema(schema)) : { $ref: uri(name) };
}

/** A schema as it stands in the document: a reference when it has a name. */
export function jsonSchema(schema: z.ZodType): Json {
  const name = names.get(schema);
  return name === undefined ? wholeSchema(schema) : { $ref: uri(name) };
}

const Fields = z.object({
  properties: z.record(z.string(), z.looseObject({})).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of an object's schema, each as JSON Schema, and the names of those it requires. */
export const fieldsOf = (schema: z.ZodType) => Fields.parse(z.toJSONSchema(schema, OPTIONS));

const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);
const nameOfBody = ({ body }: Operation) => (body && names.get(body)) ?? [];
const BODIES = OPERATIONS.flatMap(nameOfBody);
const CLOSED = OPERATIONS.filter(({ refusesUnknownFields }) => refusesUnknownFields).flatMap(nameOfBody);

/** The given names, and all that their schemas refer to. */
function namesWithin(schemas: Json, from: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of from) {
    if (found.has(name)) continue;
    found.add(name);
    const refs = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    namesWithin(
      schemas,
      [...refs].map(([, ref = '']) => ref),
      found,
    );
  }
  return found;
}

/** With `null` beside the schema of every field that is not required, at any depth. */
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

/** Without room for other fields, at any depth. */
function closed(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]) => [key, isJson(part) ? closed(part) : part] as const);
  return { ...Object.fromEntries(parts), ...(isJson(schema.properties) ? { additionalProperties: false } : {}) };
}

/**
 * The description stays where a reader looks for it, and says the default: generators take a field that has one as a
 * field that is there.
 */
function orNull({ description, default: unset, ...field }: Json): Json {
  const said = [description, ...(unset === undefined ? [] : [`${JSON.stringify(unset)} when left out`])];
  return { description: said.join('; '), anyOf: [field, { type: 'null' }] };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const withoutIds = ({ $schema: _, $id: __, ...schema }: Json): Json => schema;
