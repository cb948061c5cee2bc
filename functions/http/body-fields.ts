import * as z from 'zod';
import { slipsBetween } from '../../lib/words/slips-between.ts';
import { isIdempotencyKey } from './headers.ts';
import { isJson } from './whole-schema.ts';

/** Largest number of warnings about unknown fields in one answer, because a body can have thousands of fields. */
const MOST = 10;
const LONGEST_NAME = 60;

export interface UnknownField {
  /** Path of a body field with the names of the objects that contain it, such as `date_range.start`. */
  path: string;
  sentence: string;
  meant?: string;
}

/** Deepest nesting level at which the fields of a request body are read. No operation has a field at a deeper level. */
const DEEPEST = 10;

/** Most items that are read of a list whose schema sets no limit. No operation has a longer list. */
const MOST_ITEMS = 2_000;

/** `null` means not given, except in records such as `metadata`. A list keeps one item more than allowed. */
export function withoutNulls(schema: z.core.$ZodType | undefined, value: unknown, depth = DEEPEST): unknown {
  if (depth === 0) return value;
  const read = schema && readSchema(schema);
  if (read instanceof z.ZodRecord) return value;
  if (Array.isArray(value)) {
    const item = read instanceof z.ZodArray ? read.element : undefined;
    return value.slice(0, mostOf(read) + 1).map((one) => withoutNulls(item, one, depth - 1));
  }
  if (!isJson(value)) return value;
  const shape = read instanceof z.ZodObject ? read.shape : {};
  const fieldOf = (name: string) => (Object.hasOwn(shape, name) ? shape[name] : undefined);
  const given = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(fieldOf(name), field, depth - 1)]));
}

const mostOf = (list: z.core.$ZodType | undefined) => {
  const maximum = list?._zod.bag.maximum;
  return typeof maximum === 'number' ? maximum : MOST_ITEMS;
};

/** Looks inside optional schemas, those with a default, and those that also convert the value. */
export function readSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return readSchema(schema.def.innerType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return readSchema(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
}

/** `takesKey`: the operation has an `Idempotency-Key`, which belongs in the header. */
export function unknownFields(
  schema: z.core.$ZodType,
  body: unknown,
  { takesKey = false }: { takesKey?: boolean } = {},
): UnknownField[] {
  const found: UnknownField[] = [];
  for (const stranger of strangersIn(schema, body)) {
    const field = unknownField(stranger);
    const isKey = takesKey && isIdempotencyKey(field.path);
    if (found.push(isKey ? { ...field, sentence: KEY_IN_BODY(field.path) } : field) === MOST) break;
  }
  return found;
}

const KEY_IN_BODY = (name: string) => `\`${name}\` in the body is not read. Send it as the header Idempotency-Key.`;

/** Field that the schema does not know. `within` names the objects that contain it, and `known` the fields beside it. */
interface Stranger {
  within: string;
  name: string;
  value: unknown;
  beside: Record<string, unknown>;
  known: Record<string, unknown>;
}

export function* strangersIn(schema: z.core.$ZodType, value: unknown, within = ''): Generator<Stranger> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    yield* strangersIn(schema.def.innerType, value, within);
  else if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform)
    yield* strangersIn(schema.def.out, z.safeParse(schema.def.in, value).data, within);
  else if (schema instanceof z.ZodPipe) yield* strangersIn(schema.def.in, value, within);
  else if (schema instanceof z.ZodArray && Array.isArray(value))
    for (const [i, item] of value.entries()) yield* strangersIn(schema.element, item, `${within}${i}.`);
  else if (schema instanceof z.ZodObject && isJson(value)) yield* strangersOf(schema.shape, value, within);
}

function* strangersOf(known: Record<string, z.core.$ZodType>, beside: Record<string, unknown>, within: string) {
  for (const [name, value] of Object.entries(beside)) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) yield { within, name, value, beside, known };
    else yield* strangersIn(field, value, `${within}${name}.`);
  }
}

function unknownField({ within, name, beside, known }: Stranger): UnknownField {
  const free = Object.keys(known).filter((one) => !Object.hasOwn(beside, one));
  const nearestName = nearest(name, free);
  const path = within + shortened(name);
  const sentence = `\`${within}${storable(shortened(name))}\` is not a field of this request`;
  if (nearestName === undefined) return { path, sentence: `${sentence}. Leave it out.` };
  const meant = within + nearestName;
  return { path, sentence: `${sentence}; did you mean \`${meant}\`?`, meant };
}

/** Postgres accepts neither NUL nor lone surrogates, whether Tandem stores the text or looks for it. */
export const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = unlikeness(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** 0 for another spelling, 1 if one name has all words of the other, else 1 plus the typos: at most a third. */
function unlikeness(name: string, candidate: string): number {
  const [given, known] = [wordsOf(name), wordsOf(candidate)];
  const [one, two] = [given.join(''), known.join('')];
  if (one === two) return 0;
  const [fewer, more] = given.length < known.length ? [given, known] : [known, given];
  if (fewer.every((word) => more.includes(word))) return 1;
  if (name.length > LONGEST_NAME) return Number.POSITIVE_INFINITY;
  const slips = slipsBetween(one, two);
  return slips <= Math.max(1, Math.floor(two.length / 3)) ? 1 + slips : Number.POSITIVE_INFINITY;
}

export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [];

export const shortened = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

const PHRASES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return PHRASES[typeof value] ?? 'a value of another type';
}

function wrongKind(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_type' || PHRASES[typeof value] === undefined) return '';
  const isExpected = issue.expected === 'int' ? typeof value === 'number' : kindOf(value) === PHRASES[issue.expected];
  return isExpected ? '' : `, not ${kindOf(value)}`;
}

/** Completes the sentence "The field …", with the type that was sent if it is the wrong one. */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected) && typeof value === 'string')
    return 'must be a number, not a string';
  if (issue.message.startsWith('must')) return issue.message + wrongKind(issue, value);
  if (issue.code === 'invalid_type')
    return `must be ${PHRASES[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  return 'has a value that this endpoint does not accept. The description of the field in /openapi.json says which values the endpoint accepts';
}
