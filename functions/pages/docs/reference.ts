import { ERRORS, ERRORS_PATH } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import { BY_NAME, TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import type { NamedOperation } from '../../http/groups.ts';
import { codeOf, fenced, jsonOf } from './call.ts';
import * as fields from './fields.ts';
import { tableOf } from './markdown.ts';

type AnyEvent = (typeof ALL_EVENTS)[number];

const DATA = 'data.';

export function eventText(document: OpenapiDocument, type: AnyEvent): string {
  const { summary, content } = fields.describedEvent(document, type);
  const rows = fields
    .fieldRows(content.schema, document.components.schemas)
    .filter(({ name }) => name.startsWith(DATA))
    .map((row) => ({ ...row, name: row.name.slice(DATA.length) }));
  const reasons = REASONS[type];
  return [
    summary,
    '## Fields of `data`',
    'A field marked * is always there.',
    fields.tableOfRows(rows),
    ...(reasons === undefined ? [] : ['## Who and why', reasons]),
  ].join('\n\n');
}

export const eventCode = (document: OpenapiDocument, type: AnyEvent) =>
  fenced([['json', jsonOf(fields.describedEvent(document, type).content.example)]]);

export const ALL_EVENTS = [...EVENT_TYPES, TEST_EVENT] as const;

const isByName = (type: string) => BY_NAME.some((one) => one === type);

export const eventsTable = (document: OpenapiDocument) =>
  tableOf(
    ['Event', 'When'],
    ALL_EVENTS.map((type) => [
      `[\`${type}\`](/docs/events/${type})`,
      `${fields.describedEvent(document, type).summary.replace(/(?:\.|[.:] .*|, (?:and|to) .*)$/s, '.')}${isByName(type) ? ' \\*' : ''}`,
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
  const { description, parameters } = fields.describedAs(document, operation);
  const { request, response, status } = fields.bodiesOf(document, operation);
  const { schemas } = document.components;
  const rows = parameters.map(({ name, in: place, required, schema, description: about }) => {
    const [row] = fields.fieldRows({ properties: { [name]: schema } }, schemas);
    return [`\`${name}\`${required ? '\u00a0*' : ''}`, place, row?.type ?? '', about];
  });
  const hasStar = request !== undefined || rows.some(([name]) => name?.endsWith('*'));
  return [
    `\`${requestLine(operation)}\``,
    description,
    `${KEYS[operation.key]}${hasStar ? ' A field marked * must be sent, or is always returned.' : ''}`,
    ...(rows.length === 0 ? [] : ['## Parameters', tableOf(['Name', 'In', 'Type', 'Description'], rows)]),
    ...(request === undefined ? [] : ['## Body', fields.tablesOfBody(request, schemas)]),
    ...(response === undefined
      ? []
      : [`## Response ${status}`, operation.answer.is, fields.tablesOfBody(response, schemas)]),
    '## Errors',
    fields
      .codesOf(document, operation)
      .map((code) => `[${ERRORS[code].status}\u00a0${code}](${ERRORS_PATH}#${code})`)
      .join(', '),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

export function operationCode(document: OpenapiDocument, operation: NamedOperation): string {
  const { method, path, key, takesIdempotencyKey } = operation;
  const { parameters } = fields.describedAs(document, operation);
  const { request, response } = fields.bodiesOf(document, operation);
  const filled = parameters.reduce(
    (text, { name, in: place, example }) =>
      place === 'path' && example !== undefined ? text.replace(`{${name}}`, String(example)) : text,
    path,
  );
  const query = parameters
    .filter(({ in: place, required, example }) => place === 'query' && required && example !== undefined)
    .map(({ name, example }) => `${name}=${example}`)
    .join('&');
  const examples = request === undefined ? [{ summary: undefined, value: undefined }] : fields.examplesIn(request);
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
  const answers = response === undefined ? [] : fields.examplesIn(response);
  return [
    ...calls,
    ...answers.flatMap(({ summary = 'Response', value }) => [summary, fenced([['json', jsonOf(value)]])]),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}
