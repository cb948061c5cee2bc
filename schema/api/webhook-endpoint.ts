import * as z from 'zod';
import { docs } from '#docs';
import * as f from './fields.ts';
import { platformOperation } from './operation.ts';
import { Delivery } from './webhook-deliveries.ts';
import {
  DEFAULTS_PHRASE,
  EventName,
  SampleName,
  SUBSCRIBED_EVENTS,
  subscriptionsOf,
  TEST_EVENT,
} from './webhook-events/names.ts';

/** A platform's webhook configuration without its webhook secret, as PUT /v1/platform/webhook returns it. */
const WebhookEndpoint = z.object({
  url: z.string().describe(docs('URL that receives webhook events.')),
  enabled: z.boolean().describe(docs('True if Tandem sends webhook events.')),
  events: f.arrayOf(
    z.enum(SUBSCRIBED_EVENTS),
    docs(
      `Event types that Tandem sends to the webhook. Initially, these are ${DEFAULTS_PHRASE}. With an empty list, Tandem sends no events.`,
    ),
  ),
  max_retries: z.int().describe(docs('Largest number of attempts to send one delivery, including the first attempt.')),
  timeout_seconds: f.intOf(docs("Number of seconds that Tandem waits for your server's response in each attempt.")),
  redeliver_hours: f.intOf(
    docs('Hours for which Tandem sends an event again by itself after its delivery failed. 0 for never.'),
  ),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Most attempts to send one delivery, and the most seconds that each waits, which are also the defaults. */
export const MOST_ATTEMPTS = 3;
export const LONGEST_TIMEOUT_SECONDS = 30;

export const LONGEST_REDELIVER_HOURS = 72;

/** Request body that changes the webhook configuration. A field that is left out keeps its value. */
export const WebhookRequest = z.object({
  url: f.optionalOf(
    f.someText(2_048),
    docs(
      'URL that receives webhook events: an HTTPS URL on a public host. The URL is required until the platform has set one.',
    ),
  ),
  enabled: f.optionalOf(
    z.boolean('must be true or false'),
    docs('True to make Tandem send webhook events. The setting is initially true.'),
  ),
  events: z
    .array(EventName, 'must be an array of event types, such as ["meeting.scheduled"]')
    .max(100, 'must have at most 100 entries')
    .transform((names) => [...new Set(names.flatMap(subscriptionsOf))])
    .optional()
    .describe(
      docs(
        `Event types to send to the webhook. Initially, these are ${DEFAULTS_PHRASE}. Tandem sends the excepted types only if you list them. With an empty list, Tandem sends no events.`,
      ),
    ),
  max_retries: f.optionalOf(
    f.minutes(1, MOST_ATTEMPTS),
    docs(
      'Largest number of attempts to send one delivery, including the first attempt, 1 to 3. The number is initially 3.',
    ),
  ),
  timeout_seconds: f.optionalOf(
    f.minutes(1, LONGEST_TIMEOUT_SECONDS),
    docs(
      "Number of seconds that Tandem waits for your server's response in each attempt, 1 to 30. The number is initially 30.",
    ),
  ),
  redeliver_hours: f.optionalOf(
    f.minutes(0, LONGEST_REDELIVER_HOURS),
    docs(
      'Hours for which Tandem sends events again by itself after all attempts failed, 0 to 72. The number is initially 24. With 0, you replay failed events yourself.',
    ),
  ),
});

export const ConfiguredWebhook = WebhookEndpoint.extend({
  success: f.success,
  secret: f.stringOrAbsent(
    docs(
      'Secret with which Tandem signs webhook deliveries. Present only if the webhook URL is new. Tandem does not show this secret again.',
    ),
  ),
  message: f.note,
  warnings: f.warnings,
});

export const configureWebhook = platformOperation({
  method: 'put',
  path: '/v1/platform/webhook',
  id: 'configureWebhook',
  summary: docs('Configure the webhook'),
  description: docs(
    'Changes only the webhook settings you send. Your first request to configure the webhook must contain a `url`. If the URL changes, Tandem creates a new webhook secret, and the previous webhook secret stays valid for 24 hours.',
  ),
  body: WebhookRequest,
  answer: {
    is: docs('Returns the webhook configuration, and the webhook secret if the secret is new.'),
    schema: ConfiguredWebhook,
  },
});

export const ShownWebhook = WebhookEndpoint.extend({
  failing_since: f
    .instantOf(
      'Time of the oldest event that has failed since a delivery last succeeded, for the `since` of a replay',
      'Present only while deliveries fail.',
    )
    .optional(),
  next_redelivery_at: f
    .instantOf(
      'Time at which Tandem sends a failed event again by itself',
      'Absent if none is planned, or while one is being sent.',
    )
    .optional(),
  previous_secret_valid_until: f
    .instantOf(
      'Time the most recent previous webhook secret expires',
      'Present only while a previous webhook secret is still valid.',
    )
    .optional(),
});

export const getWebhook = platformOperation({
  method: 'get',
  path: '/v1/platform/webhook',
  id: 'getWebhook',
  summary: docs('Get the webhook configuration'),
  description: docs(
    'The response does not contain the webhook secret. Tandem shows a webhook secret only once, when the secret is new.',
  ),
  answer: { is: docs('Returns the webhook configuration.'), schema: ShownWebhook },
  errors: ['webhook_not_configured'],
});

export const RotatedSecret = z.object({
  success: f.success,
  secret: z.string().describe(docs('The new webhook secret, which Tandem does not show again.')),
  previous_secret_valid_until: f.instantOf('Time the previous webhook secret expires'),
  message: f.note,
});

export const rotateWebhookSecret = platformOperation({
  method: 'post',
  path: '/v1/platform/webhook/rotate-secret',
  id: 'rotateWebhookSecret',
  summary: docs('Rotate the webhook secret'),
  description: docs(
    'Creates a new webhook secret. A webhook secret stays valid for 24 hours after it is replaced. While a replaced secret is valid, the header `X-Service-Signature-Previous` of each delivery has signatures made with the previous secrets, newest first and at most 5. A sixth rotation within 24 hours ends the oldest at once. If your server responds to a delivery with 400, 401 or 403, Tandem sends the event again, signed with each previous secret in turn.',
  ),
  answer: { is: docs('Returns the new webhook secret.'), schema: RotatedSecret },
  errors: ['webhook_not_configured', 'secret_rotated'],
});

export const WebhookTestRequest = z.object({
  event_type: SampleName.default(TEST_EVENT).describe(docs('Type of the sample event that Tandem sends.')),
});

export const TestedWebhook = Delivery.extend({ warnings: f.warnings });

export const testWebhook = platformOperation({
  method: 'post',
  path: '/v1/platform/webhook/test',
  id: 'testWebhook',
  summary: docs('Send a test event'),
  description: docs(
    'Sends the event `webhook.test`, or a sample of the event type in `event_type`, in a single attempt. Tandem sends the test event even if the webhook is disabled or its `events` do not name the event type.',
  ),
  body: WebhookTestRequest,
  isBodyOptional: true,
  answer: {
    is: docs('Returns the outcome of the attempt to send the test event, even if the attempt failed.'),
    schema: TestedWebhook,
  },
  errors: ['webhook_not_configured'],
});

export const operations = [configureWebhook, getWebhook, rotateWebhookSecret, testWebhook];
