import { BY_NAME, TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { fenced, jsonOf } from './call.ts';
import { describedEvent, fieldRows, tableOfRows } from './fields.ts';
import { tableOf } from './markdown.ts';

type AnyEvent = (typeof ALL_EVENTS)[number];

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

export const ALL_EVENTS = [...EVENT_TYPES, TEST_EVENT] as const;

export const isByName = (type: string) => BY_NAME.some((one) => one === type);

export const eventsTable = (document: OpenapiDocument) =>
  tableOf(
    ['Event', 'When'],
    ALL_EVENTS.map((type) => [
      `[\`${type}\`](/docs/events/${type})`,
      `${describedEvent(document, type).summary.replace(/(?:\.|[.:] .*|, (?:and|to) .*)$/s, '.')}${isByName(type) ? ' \\*' : ''}`,
    ]),
  );

export const CANCELLED = tableOf(
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

export const UPDATED = tableOf(
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
