import * as z from 'zod';

/** A field of a body, as a reader meets it: `slots[].attendees[].email`. */
export interface FieldRow {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

type Json = Record<string, unknown>;

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  description: z.string().optional(),
  anyOf: z.array(z.looseObject({})).optional(),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).default([]),
  items: z.looseObject({}).optional(),
  additionalProperties: z.unknown().optional(),
  format: z.string().optional(),
});

/** The schemas that others refer to, by name. */
export type Named = Readonly<Record<string, Json>>;

/** Every field of a schema at any depth, in the order they are documented. */
export function fieldRows(schema: Json, named: Named, prefix = ''): FieldRow[] {
  const { properties, required, items, anyOf } = resolved(schema, named);
  if (items !== undefined) return fieldRows(items, named, `${prefix}[]`);
  if (properties === undefined) return onlyOnce((anyOf ?? []).flatMap((one) => fieldRows(one, named, prefix)));
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const isRequired = required.includes(name);
    const type = typeOf(field, named);
    // What may be left out may also be null, which says no more.
    const shown = isRequired ? type : type.replace(/ \| null$/, '');
    const row = { name: path, isRequired, type: shown, description: resolved(field, named).description ?? '' };
    return [row, ...fieldRows(field, named, path)];
  });
}

/** The members of a union share fields; each is told once. */
const onlyOnce = (rows: FieldRow[]) => [...new Map(rows.map((row) => [row.name, row])).values()];

const resolved = (schema: Json, named: Named) => {
  const { $ref } = schema;
  return Schema.parse(typeof $ref === 'string' ? { ...named[$ref.replace(/^.*\//, '')], ...schema } : schema);
};

function typeOf(field: Json, named: Named): string {
  const { type, enum: values, const: only, anyOf, items, format, additionalProperties } = resolved(field, named);
  if (values !== undefined) return values.map(text).join(' | ');
  if (only !== undefined) return text(only);
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, named)))].join(' | ');
  if (items !== undefined) return `${typeOf(items, named)}[]`;
  if (type === 'object' && additionalProperties) return 'object, by name';
  const name = typeof type === 'object' ? type.join(' | ') : (type ?? 'any');
  return format ?? name;
}

const text = (value: unknown) => JSON.stringify(value);
