import { BY_NAME, TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { Badge, Table } from '../components.tsx';
import { Block, jsonOf, type Site } from './call.tsx';
import { describedEvent } from './described.ts';
import { DocsPage } from './frame.tsx';
import { fieldRows } from './schema-rows.ts';
import { Prose, Words } from './words.tsx';

const NAMED: ReadonlySet<string> = new Set(BY_NAME);
/** Every type of event, with the test event at the end. */
const TYPES = [...EVENT_TYPES, TEST_EVENT] as const;

/** Values of `cancelled_by` and `reason` in the event `meeting.cancelled`. */
const CANCELLED = [
  ['the ID of your platform', 'cancelled_by_platform', 'You cancelled the meeting.'],
  ['calendar', 'cancelled_in_calendar', 'A person deleted the event in their calendar.'],
  [
    'attendee',
    'cancelled_by_attendee',
    'An attendee cancelled: the second one on the page of the proposal, or either on their own page at Tandem.',
  ],
  ['tandem', 'outcome_unknown', 'Google did not confirm that it had created the event, so Tandem gave up the booking.'],
] as const;

/** Values of `updated_by` and `reason` in the event `meeting.updated`. */
const UPDATED = [
  ['the ID of your platform', 'your text', 'You moved the meeting, or replaced the second attendee.'],
  ['calendar', 'moved_in_calendar', 'A person moved the event in their calendar.'],
  [
    'calendar',
    'attendee_declined',
    'A person declined the invitation. The field `attendee` has the email address of the person.',
  ],
  ['calendar', 'meet_link_ready', 'Google created the Meet link after the booking.'],
] as const;

const Reasons = ({ by, rows }: { by: string; rows: readonly (readonly [string, string, string])[] }) => (
  <Table
    head={[by, 'reason', 'What happened']}
    rows={rows.map(([who, reason, what]) => [
      who.includes(' ') ? who : <code>{who}</code>,
      reason.includes(' ') ? reason : <code>{reason}</code>,
      <Words>{what}</Words>,
    ])}
  />
);

/** The page with every webhook event: when Tandem sends it, its fields, and an example. */
export function EventsPage({ document }: Site) {
  return (
    <DocsPage path="/docs/events" within={TYPES.map((type) => ({ path: `/docs/events#${type}`, title: type }))}>
      <Prose>{`
        Every event is a JSON object with the fields \`id\`, \`event_type\`, \`timestamp\`, \`platform_id\`, \`api_version\` and
        \`data\`. The tables below list the fields of \`data\`. A field marked * is always in the event. The link to the video
        conference has two names: the events \`meeting.scheduled\` and \`proposal.accepted\` call it \`meeting_url\`, and the event
        \`meeting.scheduling.completed\` and the responses of the API call it \`meet_link\`. [Webhooks](/docs/webhooks) explains how to receive and verify events.
      `}</Prose>
      {TYPES.map((type) => {
        const { summary, content } = describedEvent(document, type);
        const rows = fieldRows(content.schema, document.components.schemas);
        return (
          <section>
            <h2 id={type}>
              {type} {NAMED.has(type) ? <Badge kind="info">only by name</Badge> : null}
            </h2>
            <p>
              <Words>{summary}</Words>
            </p>
            <div class="beside">
              <div>
                <Table
                  head={['Field of data', { name: 'Type', short: '' }, { name: 'Description', short: '' }]}
                  rows={rows
                    .filter(({ name }) => name.startsWith('data.'))
                    .map((row) => [
                      <>
                        <code>{row.name.slice('data.'.length)}</code>
                        {row.isRequired ? '\u00a0*' : ''}
                      </>,
                      row.type,
                      <Words>{row.description}</Words>,
                    ])}
                />
                {type === 'meeting.cancelled' ? <Reasons by="cancelled_by" rows={CANCELLED} /> : null}
                {type === 'meeting.updated' ? <Reasons by="changes.updated_by" rows={UPDATED} /> : null}
              </div>
              <Block>{jsonOf(content.example)}</Block>
            </div>
          </section>
        );
      })}
    </DocsPage>
  );
}
