import type { Schema } from './reduce.ts';

export type Direction = 'request' | 'answer';

interface Types {
  schemas: Record<string, Schema>;
  direction: Direction;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
// A client may leave out the offset where it names the zone.
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Returns how a JSON value differs from its type: unknown fields, wrong types and wrong formats, each with its path. In
 * a request, null removes a field, so it fits every type.
 */
export function valueFaults(value: unknown, schema: Schema, types: Types, path = ''): string[] {
  if (schema.$ref !== undefined) return valueFaults(value, types.schemas[schema.$ref] ?? {}, types, path);
  if (value === null && types.direction === 'request') return [];
  const at = path === '' ? 'the body' : path;
  if (!hasType(value, schema.type)) return [`${at} is ${nameOf(value)}, not ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => valueFaults(item, schema.items ?? {}, types, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null) return objectFaults(value, schema, types, path);
  return hasFormat(value, schema.format, types.direction) ? [] : [`${at} is no ${schema.format}: ${String(value)}`];
}

function objectFaults(value: object, schema: Schema, types: Types, path: string): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const known = schema.properties ?? {};
    const type = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
    if (field === undefined) return [];
    return type === undefined ? [`${at} is unknown`] : valueFaults(field, type, types, at);
  });
}

function hasType(value: unknown, type: string | undefined): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === undefined || type === 'any' || typeof value === type;
}

function hasFormat(value: unknown, format: string | undefined, direction: Direction): boolean {
  const text = String(value);
  if (format === 'date') return DATE.test(text);
  if (format === 'date-time') return (direction === 'answer' ? INSTANT : LOCAL).test(text);
  if (format === 'int64') return /^-?\d{1,19}$/.test(text);
  if (format === 'int32') return Math.abs(Number(value)) < 2 ** 31;
  return true;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
