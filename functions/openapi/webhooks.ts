import * as z from 'zod';
import { sampleData } from '../../lib/webhooks/samples.ts';
import { EVENT_TYPES, type EventType, eventData, eventEnvelope, TEST_EVENT } from '../../schema/api/webhook-events.ts';
import { type Json, jsonSchema } from './json-schema.ts';

const AT = '2030-01-10T09:00:00.000Z';
const PLATFORM = 'plat_sample';

const EMITTED: Record<EventType, string> = {
  'user.calendar.connected': 'A person connected their calendar; sent to all platforms they are connected with.',
  'user.calendar.disconnected': "A person's calendar was disconnected; sent to all platforms that had it.",
  'user.calendar.refresh_failed':
    'Access to a calendar has ended; the person must consent again. Sent once per outage.',
  'meeting.scheduling.completed': 'Automatic scheduling booked a meeting.',
  'meeting.scheduling.failed': 'Automatic scheduling failed.',
  'meeting.scheduled': 'A meeting was created; `rescheduled_from` names the one it replaces.',
  'meeting.updated': 'A meeting was changed.',
  'meeting.cancelled': 'A meeting was cancelled.',
  'platform.usage_warning': '80% of the monthly meetings are used.',
  'platform.usage_limit_reached': 'All monthly meetings are used.',
};

/** Every event the service sends, by type. */
export function describeWebhooks() {
  const events = EVENT_TYPES.map((type) => [type, describeEvent(type, EMITTED[type], eventData[type])]);
  const test = describeEvent(
    TEST_EVENT,
    'A test was asked for.',
    z.object({ message: z.string().describe('That webhooks arrive') }),
  );
  return Object.fromEntries([...events, [TEST_EVENT, test]]);
}

function describeEvent(type: string, emitted: string, data: z.ZodType) {
  const schema = jsonSchema(
    eventEnvelope.extend({
      event_type: z.literal(type).describe('The type of the event'),
      data: data.describe(emitted),
    }),
  );
  const id = type === TEST_EVENT ? 'wh_test_sample' : 'wh_sample';
  const example = {
    id,
    event_type: type,
    timestamp: AT,
    platform_id: PLATFORM,
    api_version: 'v1',
    data: sampleData(type, AT, PLATFORM),
  };
  return {
    post: {
      tags: ['Events'],
      operationId: `on${pascal(type)}`,
      summary: emitted,
      security: [],
      parameters: headersOf(type),
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
      responses: {
        '2XX': { description: 'Received.' },
        default: {
          description:
            'Anything else, a redirect or no answer within timeout_seconds is a failed attempt; the second follows 1 second later, the third 10 seconds after that.',
        },
      },
    },
  };
}

const pascal = (type: string) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const header = (name: string, required: boolean, description: string, schema: Json) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
});

const DIGEST = { pattern: '^[0-9a-f]{64}$' };

const SIGNED = '[A-Za-z0-9+/]{43}=';

const headersOf = (type: string) => [
  header(
    'X-Service-Signature',
    true,
    'Lowercase hex of HMAC-SHA256 over `<X-Service-Timestamp>:<raw body>`, keyed by the webhook secret; compare in constant time.',
    DIGEST,
  ),
  header('X-Service-Timestamp', true, 'When the attempt was signed, in Unix seconds; reject old ones.', {
    pattern: '^\\d+$',
  }),
  header('X-Service-Event', true, 'The type of the event.', { const: type }),
  header('X-Service-Delivery', true, 'The delivery, the same over its attempts.', { pattern: '^wh_del_' }),
  header(
    'X-Service-Signature-Previous',
    false,
    'For 24 hours after a rotation: the same digest keyed by each former secret still valid, comma-separated, newest first.',
    { pattern: '^[0-9a-f]{64}(,[0-9a-f]{64}){0,4}$' },
  ),
  header('Webhook-Id', true, 'The event, for libraries of Standard Webhooks: the same over its attempts and replays.', {
    pattern: '^wh_',
  }),
  header('Webhook-Timestamp', true, 'The same as X-Service-Timestamp.', { pattern: '^\\d+$' }),
  header(
    'Webhook-Signature',
    true,
    'By Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<Webhook-Id>.<Webhook-Timestamp>.<raw body>`, keyed by the bytes that the secret is the base64 of; for 24 hours after a rotation one for each secret still valid, separated by spaces.',
    { pattern: `^v1,${SIGNED}( v1,${SIGNED}){0,5}$` },
  ),
];
