import * as z from 'zod';
import { NAMED } from './groups.ts';

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

/** The schemas that have a name, as `components.schemas`. */
export function namedSchemas(): Json {
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIds(schema)]));
}

/** A schema as it stands in the document: a reference when it has a name. */
export function jsonSchema(schema: z.ZodType): Json {
  const name = names.get(schema);
  return name === undefined ? withoutIds(z.toJSONSchema(schema, OPTIONS)) : { $ref: uri(name) };
}

const Fields = z.object({
  properties: z.record(z.string(), z.looseObject({})).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of an object's schema, each as JSON Schema, and the names of those it requires. */
export const fieldsOf = (schema: z.ZodType) => Fields.parse(z.toJSONSchema(schema, OPTIONS));

const withoutIds = ({ $schema: _, $id: __, ...schema }: Json): Json => schema;
