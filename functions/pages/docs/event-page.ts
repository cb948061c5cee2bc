import type { OpenapiDocument } from '../../http/openapi-document.ts';
import { jsonOf } from './call.ts';
import { describedEvent } from './described.ts';
import { type ALL_EVENTS, CANCELLED, UPDATED } from './event-tables.ts';
import { tableOfRows } from './fields.ts';
import { fenced } from './http-fence.ts';
import { fieldRows } from './schema-rows.ts';

type AnyEvent = (typeof ALL_EVENTS)[number];

const REASONS: Partial<Record<AnyEvent, string>> = { 'meeting.cancelled': CANCELLED, 'meeting.updated': UPDATED };
const DATA = 'data.';

export function eventText(document: OpenapiDocument, type: AnyEvent): string {
  const { summary, content } = describedEvent(document, type);
  const rows = fieldRows(content.schema, document.components.schemas)
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
  fenced([['json', jsonOf(describedEvent(document, type).content.example)]]);
