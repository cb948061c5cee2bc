import * as z from 'zod';

/** Warnings in one answer; a body can have thousands of fields. */
const MOST = 10;
const LONGEST_NAME = 60;

export interface UnknownField {
  /** With the names of what it stands in: `date_range.start`. */
  path: string;
  sentence: string;
}

/** No field of any operation stands deeper. */
const DEEPEST = 10;

/**
 * The value without the fields that are `null`, wherever fields can be: they were not given. Pairs of the caller's own
 * stay as they are.
 */
export function withoutNulls(schema: z.core.$ZodType | undefined, value: unknown, depth = DEEPEST): unknown {
  if (depth === 0) return value;
  const read = schema && readSchema(schema);
  if (read instanceof z.ZodRecord) return value;
  if (Array.isArray(value)) {
    const item = read instanceof z.ZodArray ? read.element : undefined;
    return value.map((one) => withoutNulls(item, one, depth - 1));
  }
  if (!isRecord(value)) return value;
  const shape = read instanceof z.ZodObject ? read.shape : {};
  const fieldOf = (name: string) => (Object.hasOwn(shape, name) ? shape[name] : undefined);
  const given = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(fieldOf(name), field, depth - 1)]));
}

/** The schema that reads a value first, behind what may be left out and what only prepares it. */
function readSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return readSchema(schema.def.innerType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return readSchema(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
}

/** The fields of a body, at any depth, that its schema does not name, each with what was probably meant; at most ten. */
export function unknownFields(schema: z.core.$ZodType, body: unknown): UnknownField[] {
  const found: UnknownField[] = [];
  for (const field of unknownIn(schema, body, '')) if (found.push(field) === MOST) break;
  return found;
}

function* unknownIn(schema: z.core.$ZodType, value: unknown, within: string): Generator<UnknownField> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    yield* unknownIn(schema.def.innerType, value, within);
  else if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform)
    yield* unknownIn(schema.def.out, z.safeParse(schema.def.in, value).data, within);
  else if (schema instanceof z.ZodPipe) yield* unknownIn(schema.def.in, value, within);
  else if (schema instanceof z.ZodArray && Array.isArray(value))
    for (const [i, item] of value.entries()) yield* unknownIn(schema.element, item, `${within}${i}.`);
  else if (schema instanceof z.ZodObject && isRecord(value)) yield* unknownOf(schema.shape, value, within);
}

function* unknownOf(shape: Record<string, z.core.$ZodType>, value: Record<string, unknown>, within: string) {
  const free = Object.keys(shape).filter((name) => !Object.hasOwn(value, name));
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) yield { path: within + shortened(name), sentence: sentenceOf(within, name, free) };
    else yield* unknownIn(known, field, `${within}${name}.`);
  }
}

function sentenceOf(within: string, name: string, free: readonly string[]): string {
  const meant = nearest(name, free);
  const question = meant === undefined ? '.' : `; did you mean \`${within}${meant}\`?`;
  return `\`${within}${shortened(name)}\` is not a field here${question}`;
}

/** The known name that is most like the given one; undefined when none is like it. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = unlikeness(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** 0 for another spelling of the same words, 1 where one has all words of the other, then by letters; infinite when not alike. */
function unlikeness(name: string, candidate: string): number {
  const [given, known] = [wordsOf(name), wordsOf(candidate)];
  const [one, two] = [given.join(''), known.join('')];
  if (one === two) return 0;
  const [fewer, more] = given.length < known.length ? [given, known] : [known, given];
  if (fewer.every((word) => more.includes(word))) return 1;
  if (name.length > LONGEST_NAME) return Number.POSITIVE_INFINITY;
  const slips = distance(one, two);
  return slips <= Math.max(1, Math.floor(two.length / 3)) ? 1 + slips : Number.POSITIVE_INFINITY;
}

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** How many letters to put in, take out, replace or swap with the next make one text the other. */
function distance(one: string, two: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: two.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= two.length; j++) {
      const cost = one[i - 1] === two[j - 1] ? 0 : 1;
      const swap = one[i - 1] === two[j - 2] && one[i - 2] === two[j - 1] ? (before[j - 2] ?? i + j) + 1 : i + j;
      row.push(Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + cost, swap));
    }
    [before, last] = [last, row];
  }
  return last[two.length] ?? 0;
}

/** A name as it is told, however long it is. */
export const shortened = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
