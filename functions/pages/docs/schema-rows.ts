import * as z from 'zod';

/** `name` is the field's whole path, such as `slots[].attendees[].email`. */
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

/** JSON Schemas that other schemas refer to, keyed by name. */
export type Named = Readonly<Record<string, Json>>;

/** Returns a row for every field of a schema, at any depth, in its order. Objects alike, such as weekdays, share theirs. */
export function fieldRows(schema: Json, named: Named, prefix = ''): FieldRow[] {
  const { properties, required, items, anyOf } = resolved(schema, named);
  if (items !== undefined) return fieldRows(items, named, `${prefix}[]`);
  if (properties === undefined)
    return merged((anyOf ?? []).map((one) => fieldRows(one, named, prefix)).filter((rows) => rows.length > 0));
  const alike = Map.groupBy(Object.keys(properties), (name) => JSON.stringify(properties[name]));
  return Object.entries(properties).flatMap(([name, field]) => {
    const same = alike.get(JSON.stringify(field)) ?? [];
    const isShared = same.length > 2 && fieldRows(field, named).length > 0;
    if (isShared && name !== same[0]) return [];
    const shownName = isShared ? `${name}…${same.at(-1)}` : name;
    const path = prefix === '' ? shownName : `${prefix}.${shownName}`;
    const isRequired = required.includes(name);
    const type = typeOf(field, named);
    // Every optional field also accepts null, so the type need not repeat it.
    const shown = isRequired ? type : type.replace(/ \| null$/, '');
    const row = { name: path, isRequired, type: shown, description: resolved(field, named).description ?? '' };
    return [row, ...fieldRows(field, named, path)];
  });
}

/** A field's types are joined, and it is required only if every member requires it. */
function merged(members: FieldRow[][]): FieldRow[] {
  const byName = Map.groupBy(members.flat(), ({ name }) => name);
  const joined = (texts: string[], by: string) => [...new Set(texts)].join(by);
  return [...byName].map(([name, rows]) => ({
    name,
    type: joined(
      rows.map(({ type }) => type),
      ' | ',
    ),
    isRequired: rows.length === members.length && rows.every(({ isRequired }) => isRequired),
    description: joined(
      rows.map(({ description }) => description),
      ' Or: ',
    ),
  }));
}

/** Returns the members of a schema that is a union of objects, and the schema itself if it is none. */
export function shapesOf(schema: Json, named: Named): Json[] {
  const { properties, items, anyOf } = resolved(schema, named);
  return properties === undefined && items === undefined && anyOf !== undefined && anyOf.length > 1 ? anyOf : [schema];
}

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
