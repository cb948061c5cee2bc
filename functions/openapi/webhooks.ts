import * as z from 'zod';
import { sampleData } from '../../lib/webhooks/samples.ts';
import { EVENT_TYPES, type EventType, eventData, eventEnvelope, TEST_EVENT } from '../../schema/api/webhook-events.ts';
import { jsonSchema } from './json-schema.ts';

const AT = '2030-01-10T09:00:00.000Z';
const PLATFORM = 'plat_sample';

const BY_NAME = 'Tandem sends this event only if the setting `events` of your webhook names the event type.';

const EMITTED: Record<EventType, string> = {
  'user.calendar.connected':
    'A person connected their calendar. Tandem sends this event to all platforms that the person is connected to.',
  'user.calendar.disconnected':
    "Your platform no longer has access to a person's calendar. If the person or Google ended all access, Tandem sends this event to every platform that had access.",
  'user.calendar.refresh_failed':
    'Tandem could not renew access to a calendar, and the person must consent again. Tandem sends this event once for each loss of access.',
  'meeting.scheduling.completed': 'Automatic scheduling booked a meeting.',
  'meeting.scheduling.failed': 'Automatic scheduling could not book a meeting.',
  'meeting.scheduled':
    'A meeting was created. If this meeting replaces another one, `rescheduled_from` has the ID of the replaced meeting.',
  'meeting.updated': 'A meeting was changed.',
  'meeting.cancelled': 'A meeting was cancelled.',
  'batch.completed': `A batch has ended: each of its meetings is booked, or has a reason why it is not. ${BY_NAME}`,
  'proposal.accepted': `A time of a proposal was accepted, and the meeting is booked. ${BY_NAME}`,
  'proposal.declined': `A proposal was declined, and the times of the proposal are free again. ${BY_NAME}`,
  'proposal.countered': `The person at a proposal's page asked for other times, and Tandem made a new proposal with other times. The times of the old proposal are free again. ${BY_NAME}`,
  'proposal.expired': `A proposal expired, and the times of the proposal are free again. ${BY_NAME}`,
  'proposal.withdrawn': `The platform withdrew a proposal, and the times of the proposal are free again. ${BY_NAME}`,
  'platform.usage_warning': 'The platform has used 80% of the meetings that its plan allows per month.',
  'platform.usage_limit_reached': 'The platform has used all meetings that its plan allows per month.',
  'platform.security_changed': `The platform's secret key, webhook secret, webhook URL or redirect URIs were changed. ${BY_NAME}`,
};

export function describeWebhooks() {
  const events = EVENT_TYPES.map((type) => [type, describeEvent(type, EMITTED[type], eventData[type])]);
  const test = describeEvent(
    TEST_EVENT,
    'A sample event that you requested, to test that your server receives events.',
    z.object({ message: z.string().describe('Sentence that confirms that webhook events reach your server.') }),
  );
  return Object.fromEntries([...events, [TEST_EVENT, test]]);
}

function describeEvent(type: string, emitted: string, data: z.ZodType) {
  const schema = jsonSchema(
    eventEnvelope.extend({
      event_type: z.literal(type).describe('Type of the webhook event.'),
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
    data: sampleData(type, Date.parse(AT), PLATFORM),
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
        '2XX': { description: 'Any status from 200 to 299 tells Tandem that your server received the event.' },
        default: {
          description:
            'The attempt failed. Any status outside 200-299, including a redirect, counts as a failure, and so does no response within `timeout_seconds`. The second attempt follows 1 second after the first failed, and the third 10 seconds after the second failed.',
        },
      },
    },
  };
}

const pascal = (type: string) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const SIGNED = '[A-Za-z0-9+/]{43}=';

interface Header {
  description: string;
  /** Absent for a header that has only the event's type. */
  pattern?: string;
  isOptional?: true;
}

const HEADERS: Record<string, Header> = {
  'X-Service-Signature': {
    description:
      'Lowercase hex HMAC-SHA256 of `<X-Service-Timestamp>:<raw body>`, keyed with the webhook secret. Compare the signature in constant time.',
    pattern: '^[0-9a-f]{64}$',
  },
  'X-Service-Timestamp': {
    description:
      'Time at which Tandem signed the request, in Unix seconds. Reject a request whose timestamp is more than 5 minutes away from now.',
    pattern: '^\\d+$',
  },
  'X-Service-Event': { description: 'Type of the webhook event.' },
  'X-Service-Delivery': {
    description: 'ID of the webhook delivery. Every attempt to send the delivery has the same ID.',
    pattern: '^wh_del_',
  },
  'X-Service-Signature-Previous': {
    description:
      'Signatures like the one in `X-Service-Signature`, made with each previous webhook secret that is still valid, comma-separated, newest first. Tandem sends this header for 24 hours after you rotate the webhook secret.',
    pattern: '^[0-9a-f]{64}(,[0-9a-f]{64}){0,4}$',
    isOptional: true,
  },
  'Webhook-Id': {
    description:
      'ID of the event for Standard Webhooks libraries. All attempts and replays of the event have the same ID.',
    pattern: '^wh_',
  },
  'Webhook-Timestamp': {
    description:
      'Time at which Tandem signed the request, in Unix seconds, as in `X-Service-Timestamp`. Libraries for Standard Webhooks read this header.',
    pattern: '^\\d+$',
  },
  'Webhook-Signature': {
    description:
      'Signature as Standard Webhooks specifies: `v1,` followed by the base64 HMAC-SHA256 of `<Webhook-Id>.<Webhook-Timestamp>.<raw body>`. The key of the HMAC is the webhook secret without its `whsec_` prefix, decoded from base64. For 24 hours after you rotate the webhook secret, the header has one signature for each secret that is still valid, separated by spaces.',
    pattern: `^v1,${SIGNED}( v1,${SIGNED}){0,5}$`,
  },
};

const headersOf = (type: string) =>
  Object.entries(HEADERS).map(([name, { description, pattern, isOptional = false }]) => ({
    ...{ name, in: 'header', required: !isOptional, description },
    schema: { type: 'string', ...(pattern === undefined ? { const: type } : { pattern }) },
  }));
