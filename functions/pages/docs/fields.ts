import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import type { TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import type { EventType } from '../../../schema/api/webhook-events/schemas.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { GROUPS } from '../../http/groups.ts';
import { tableOf } from './markdown.ts';

/** `name` is the field's whole path, such as `slots[].attendees[].email`. */
type FieldRow = { name: string; type: string; isRequired: boolean; description: string };

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

type Named = Readonly<Record<string, Json>>;

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

function shapesOf(schema: Json, named: Named): Json[] {
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

const Content = z.object({
  schema: z.looseObject({}),
  example: z.unknown().optional(),
  examples: z
    .record(z.string(), z.looseObject({ summary: z.string().optional(), value: z.unknown().optional() }))
    .default({}),
});
type Content = z.infer<typeof Content>;

const Body = z.object({ content: z.object({ 'application/json': Content.optional() }) });
const Described = z.object({
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string().default(''),
        schema: z.looseObject({}),
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), Body.partial()),
});

const ErrorCodes = z.array(z.enum(ERROR_CODES));

export const describedAs = ({ paths }: OpenapiDocument, { path, method }: Pick<Operation, 'path' | 'method'>) =>
  Described.parse(paths[path]?.[method]);

const DescribedEvent = z.object({
  post: z.object({
    summary: z.string(),
    requestBody: z.object({ content: z.object({ 'application/json': Content }) }),
  }),
});

export function describedEvent(
  { webhooks }: OpenapiDocument,
  type: EventType | typeof TEST_EVENT,
): { summary: string; content: Content } {
  const { post } = DescribedEvent.parse(webhooks[type]);
  return { summary: post.summary, content: post.requestBody.content['application/json'] };
}

export const examplesIn = ({ example, examples }: Content): { summary?: string | undefined; value?: unknown }[] =>
  example === undefined ? Object.values(examples) : [{ value: example }];

export const codesOf = (document: OpenapiDocument, operation: Pick<Operation, 'path' | 'method'>): ErrorCode[] => [
  ...new Set(
    Object.entries(describedAs(document, operation).responses).flatMap(([status, { content }]) =>
      Number(status) < 400 ? [] : ErrorCodes.parse(Object.keys(content?.['application/json']?.examples ?? {})),
    ),
  ),
];

export const OPERATIONS = GROUPS.flatMap(({ operations }) => operations);

const JSON_TYPE = 'application/json';

export function bodiesOf(document: OpenapiDocument, operation: (typeof OPERATIONS)[number]) {
  const { requestBody, responses } = describedAs(document, operation);
  const status = String(operation.answer.status ?? 200);
  return { status, request: requestBody?.content[JSON_TYPE], response: responses[status]?.content?.[JSON_TYPE] };
}

/** Writes fields as a table. A star marks those that must be sent, or are always returned. */
export const tableOfRows = (rows: readonly FieldRow[]) =>
  tableOf(
    ['Field', 'Type', 'Description'],
    rows.map(({ name, isRequired, type, description }) => [
      `\`${name}\`${isRequired ? '\u00a0*' : ''}`,
      type,
      description,
    ]),
  );

export function tablesOfBody({ schema }: Content, named: Named): string {
  const shapes = shapesOf(schema, named);
  return shapes
    .flatMap((shape, at) => [
      ...(shapes.length === 1 ? [] : [at === 0 ? 'Either:' : 'Or:']),
      tableOfRows(fieldRows(shape, named)),
    ])
    .join('\n\n');
}
