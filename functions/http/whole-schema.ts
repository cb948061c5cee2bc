import * as z from 'zod';

export type Json = Record<string, unknown>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface JsonSchema extends Json {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  format?: string;
}

export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

export const resolved = (schema: JsonSchema, named: NamedSchemas): JsonSchema =>
  schema.$ref === undefined ? schema : { ...named[schema.$ref.replace(/^.*\//, '')], ...schema };

type Written = { format?: string; pattern?: string; minimum?: number; maximum?: number };

/** The body is as the client sends it: before defaults and transforms, and open to new fields. */
export const OPTIONS = {
  io: 'input',
  override: ({ jsonSchema }: { jsonSchema: Written }) => {
    // A format is clearer than a pattern. But only zod knows `starts_with`, so the pattern stays.
    if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    else if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

export const wholeSchema = (schema: z.ZodType): Json => withoutIds(z.toJSONSchema(schema, OPTIONS));

export const withoutIds = ({ $schema: _, $id: __, ...schema }: Json): Json => schema;
