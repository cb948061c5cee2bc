import type { Schema } from './reduce.ts';

/** Fields that a partial answer has, by name. A field without fields of its own is answered whole. */
export interface Mask {
  [name: string]: Mask;
}

/**
 * Parses the `fields` parameter, such as `items(id,start),nextPageToken` or `items/attendees/email`. Throws if it is
 * malformed.
 */
export function parseMask(text: string): Mask {
  const tokens = text.match(/[\w*]+|[(),/]|\S/g) ?? [];
  let at = 0;

  function list(): Mask {
    const mask: Mask = {};
    do merge(mask, path());
    while (tokens[at] === ',' && ++at);
    return mask;
  }

  function path(): Mask {
    const name = tokens[at++] ?? '';
    if (!/^[\w*]+$/.test(name)) throw new Error(`Invalid field selection ${text}`);
    if (tokens[at] === '/' && ++at) return { [name]: path() };
    if (tokens[at] !== '(') return { [name]: {} };
    at += 1;
    const inner = list();
    if (tokens[at++] !== ')') throw new Error(`Invalid field selection ${text}`);
    return { [name]: inner };
  }

  const mask = list();
  if (at < tokens.length) throw new Error(`Invalid field selection ${text}`);
  return mask;
}

function merge(into: Mask, from: Mask): void {
  for (const [name, mask] of Object.entries(from)) {
    const known = into[name];
    if (known === undefined) into[name] = mask;
    else merge(known, mask);
  }
}

export function partOf(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0 || Object.hasOwn(mask, '*')) return value;
  if (Array.isArray(value)) return value.map((item) => partOf(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => Object.hasOwn(mask, name));
  return Object.fromEntries(kept.map(([name, field]) => [name, partOf(field, mask[name] ?? {})]));
}

/** Returns the fields that a `fields` parameter names and the answer's type does not have. */
export function fieldFaults(fields: string | null, schema: Schema, schemas: Record<string, Schema>): string[] {
  if (fields === null) return [];
  try {
    return unknownIn(parseMask(fields), schema, schemas);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function unknownIn(mask: Mask, schema: Schema, schemas: Record<string, Schema>): string[] {
  if (schema.$ref !== undefined) return unknownIn(mask, schemas[schema.$ref] ?? {}, schemas);
  if (schema.items !== undefined) return unknownIn(mask, schema.items, schemas);
  return Object.entries(mask).flatMap(([name, inner]) => {
    const field = schema.properties?.[name] ?? schema.additionalProperties;
    if (name === '*') return [];
    return field === undefined ? [`Invalid field selection ${name}`] : unknownIn(inner, field, schemas);
  });
}
