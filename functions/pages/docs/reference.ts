import { ERRORS, ERRORS_PATH, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import { BY_NAME, EVENT_TYPES, TEST_EVENT } from '../../../schema/api/webhook-events.ts';
import type { Content, OpenapiDocument, OpenapiOperation } from '../../http/files.ts';
import type { NamedOperation } from '../../http/groups.ts';
import { type JsonSchema, type NamedSchemas, resolved } from '../../http/whole-schema.ts';
import { codeOf, fenced, jsonOf } from './call.ts';
import { tableOf } from './markdown.ts';

type AnyEvent = (typeof ALL_EVENTS)[number];

const DATA = 'data.';

export function eventText(document: OpenapiDocument, type: AnyEvent): string {
  const { summary, schema } = describedEvent(document, type);
  const rows = fieldRows(schema, document.components.schemas)
    .filter(({ name }) => name.startsWith(DATA))
    .map((row) => ({ ...row, name: row.name.slice(DATA.length) }));
  const reasons = REASONS[type];
  return [
    summary,
    '## Fields of `data`',
    'A field marked * is always there.',
    tableOfRows(rows),
    ...(reasons === undefined ? [] : ['## Who and why', reasons]),
  ].join('\n\n');
}

export const eventCode = (document: OpenapiDocument, type: AnyEvent) =>
  fenced([['json', jsonOf(describedEvent(document, type).example)]]);

export const ALL_EVENTS = [...EVENT_TYPES, TEST_EVENT] as const;

const isByName = (type: string) => BY_NAME.some((one) => one === type);

export const eventsTable = (document: OpenapiDocument) =>
  tableOf(
    ['Event', 'When'],
    ALL_EVENTS.map((type) => [
      `[\`${type}\`](/docs/events/${type})`,
      `${describedEvent(document, type).summary.replace(/(?:\.|[.:] .*|, (?:and|to) .*)$/s, '.')}${isByName(type) ? ' \\*' : ''}`,
    ]),
  );

const CANCELLED = tableOf(
  ['`cancelled_by`', '`reason`', 'What happened'],
  [
    ['your platform’s ID', '`cancelled_by_platform`', 'You cancelled the meeting.'],
    ['`calendar`', '`cancelled_in_calendar`', 'Somebody deleted the event in their calendar.'],
    [
      '`attendee`',
      '`cancelled_by_attendee`',
      'An attendee cancelled: the second one on the page of the proposal, or either on `/me`.',
    ],
    ['`tandem`', '`outcome_unknown`', 'Google did not confirm the event, so Tandem gave up the booking.'],
  ],
);

const UPDATED = tableOf(
  ['`updated_by`', '`reason`', 'What happened'],
  [
    ['your platform’s ID', 'your text, or `meeting_rescheduled`', 'You moved it, or replaced the second attendee.'],
    ['`calendar`', '`moved_in_calendar`', 'Somebody moved the event in their calendar.'],
    ['`calendar`', '`changed_in_calendar`', 'Somebody changed its title, place or video link there.'],
    [
      '`calendar`',
      '`attendee_removed`, `attendee_added`',
      'Somebody took the guest off the event there, or back on it.',
    ],
    ['`calendar`', '`attendee_declined`', 'Somebody declined; `attendee` has their address.'],
    ['`calendar`', '`meet_link_ready`', 'Google made the Meet link after the booking.'],
  ],
);

const REASONS: Partial<Record<AnyEvent, string>> = { 'meeting.cancelled': CANCELLED, 'meeting.updated': UPDATED };

const KEYS: Record<Operation['key'], string> = {
  platform: "Takes your platform's secret key.",
  user: "Takes a person's own key.",
  none: 'Takes no key.',
  open: 'Takes no key.',
};

const VARIABLES: Partial<Record<Operation['key'], string>> = { platform: 'TANDEM_API_KEY', user: 'TANDEM_USER_KEY' };

export const requestLine = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`;

export function operationText(document: OpenapiDocument, operation: NamedOperation): string {
  const { description, parameters, request, response, status, codes } = described(document, operation);
  const { schemas } = document.components;
  const rows = parameters.map(({ name, in: place, required, schema, description: about = '' }) => {
    const [row] = fieldRows({ properties: { [name]: schema } }, schemas);
    return [starred(name, required), place, row?.type ?? '', about];
  });
  const hasStar = request !== undefined || rows.some(([name]) => name?.endsWith('*'));
  return [
    `\`${requestLine(operation)}\``,
    description,
    `${KEYS[operation.key]}${hasStar ? ' A field marked * must be sent, or is always returned.' : ''}`,
    ...(rows.length === 0 ? [] : ['## Parameters', tableOf(['Name', 'In', 'Type', 'Description'], rows)]),
    ...(request === undefined ? [] : ['## Body', tablesOfBody(request, schemas)]),
    ...(response === undefined ? [] : [`## Response ${status}`, operation.answer.is, tablesOfBody(response, schemas)]),
    '## Errors',
    codes.map((code) => `[${ERRORS[code].status}\u00a0${code}](${ERRORS_PATH}#${code})`).join(', '),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

export function operationCode(document: OpenapiDocument, operation: NamedOperation): string {
  const { method, path, key, takesIdempotencyKey } = operation;
  const { parameters, request, response } = described(document, operation);
  const filled = parameters.reduce(
    (text, { name, in: place, example }) =>
      place === 'path' && example !== undefined ? text.replace(`{${name}}`, String(example)) : text,
    path,
  );
  const query = parameters
    .filter(({ in: place, required, example }) => place === 'query' && required && example !== undefined)
    .map(({ name, example }) => `${name}=${example}`)
    .join('&');
  const examples = request === undefined ? [{ summary: undefined, value: undefined }] : examplesIn(request);
  const calls = examples.flatMap(({ summary, value }, at) => [
    summary,
    fenced(
      codeOf({
        method: method.toUpperCase(),
        path: query === '' ? filled : `${filled}?${query}`,
        body: typeof value === 'object' && value !== null ? value : undefined,
        keyIn: VARIABLES[key] ?? null,
        returnsPage: response === undefined,
        ...(takesIdempotencyKey === true ? { idempotencyKey: `order-${4_711 + at}` } : {}),
      }),
    ),
  ]);
  const answers = response === undefined ? [] : examplesIn(response);
  return [
    ...calls,
    ...answers.flatMap(({ summary = 'Response', value }) => [summary, fenced([['json', jsonOf(value)]])]),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

/** `name` is the field's whole path, such as `slots[].attendees[].email`. */
type FieldRow = { name: string; type: string; isRequired: boolean; description: string };

/** Returns a row for every field of a schema, at any depth, in its order. Objects alike, such as weekdays, share theirs. */
function fieldRows(schema: JsonSchema, named: NamedSchemas, prefix = ''): FieldRow[] {
  const { properties, required = [], items, anyOf } = resolved(schema, named);
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
  return [...byName].map(([name, rows]) => {
    const joined = (part: 'type' | 'description', by: string) => [...new Set(rows.map((row) => row[part]))].join(by);
    const isRequired = rows.length === members.length && rows.every((row) => row.isRequired);
    return { name, type: joined('type', ' | '), isRequired, description: joined('description', ' Or: ') };
  });
}

function typeOf(field: JsonSchema, named: NamedSchemas): string {
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

const examplesIn = ({ example, examples = {} }: Content): { summary?: string; value?: unknown }[] =>
  example === undefined ? Object.values(examples) : [{ value: example }];

function describedEvent({ webhooks }: OpenapiDocument, type: AnyEvent) {
  const { summary, requestBody } = operationIn(webhooks[type], 'post');
  const content: Content = requestBody?.content?.['application/json'] ?? { schema: {} };
  return { summary, ...content };
}

function operationIn(methods: Readonly<Record<string, OpenapiOperation>> | undefined, method: string) {
  const operation = methods?.[method];
  if (operation === undefined) throw new Error('The OpenAPI document lacks an operation or an event.');
  return operation;
}

function described({ paths }: OpenapiDocument, { path, method, answer }: NamedOperation) {
  const { description, parameters = [], requestBody, responses } = operationIn(paths[path], method);
  const status = String(answer.status ?? 200);
  const contents = Object.entries(responses).map(
    ([code, { content }]) => [code, content?.['application/json']] as const,
  );
  const failed = contents.filter(([code]) => Number(code) >= 400);
  // An error's examples have the names of their codes.
  const codes = new Set(failed.flatMap(([, content]) => Object.keys(content?.examples ?? {}) as ErrorCode[]));
  const response = Object.fromEntries(contents)[status];
  const request = requestBody?.content?.['application/json'];
  return { description, parameters, status, request, response, codes: [...codes] };
}

const tableOfRows = (rows: readonly FieldRow[]) =>
  tableOf(
    ['Field', 'Type', 'Description'],
    rows.map(({ name, isRequired, type, description }) => [starred(name, isRequired), type, description]),
  );

const starred = (name: string, isRequired: boolean) => `\`${name}\`${isRequired ? '\u00a0*' : ''}`;

function tablesOfBody({ schema }: Content, named: NamedSchemas): string {
  const { properties, items, anyOf = [] } = resolved(schema, named);
  if (properties !== undefined || items !== undefined || anyOf.length < 2) return tableOfRows(fieldRows(schema, named));
  return anyOf
    .flatMap((shape, at) => [at === 0 ? 'Either:' : 'Or:', tableOfRows(fieldRows(shape, named))])
    .join('\n\n');
}
