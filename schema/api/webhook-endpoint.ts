import * as z from 'zod';
import { instantOf, note, success, text, warnings, minutes as whole } from './fields.ts';
import { operation } from './operation.ts';
import { Delivery } from './webhook-deliveries.ts';
import { EventName, SampleName, SUBSCRIBED_EVENTS, subscriptionsOf, TEST_EVENT } from './webhook-events/names.ts';

/** A platform's webhook configuration without its signing secret, as PUT /v1/platform/webhook returns it. */
const WebhookEndpoint = z.object({
  url: z.string().describe('URL that receives events.'),
  enabled: z.boolean().describe('True if Tandem sends webhook events.'),
  events: z
    .array(z.enum(SUBSCRIBED_EVENTS))
    .describe(
      'Event types that Tandem sends to the webhook. Initially all event types but `platform.security_changed`. With an empty list, Tandem sends no events.',
    ),
  max_retries: z.int().describe('Largest number of attempts for one delivery, including the first.'),
  timeout_seconds: z.int().describe('Seconds an attempt waits for a response.'),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Request body that changes the webhook configuration. A field that is left out keeps its value. */
export const WebhookRequest = z.object({
  url: text(2_048)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe('URL that receives webhook events: an HTTPS URL on a public host. Required until a URL is set.'),
  enabled: z.boolean('must be true or false').optional().describe('True to send webhook events. Initially true.'),
  events: z
    .array(EventName, 'must be an array of event types, such as ["meeting.scheduled"]')
    .max(100, 'must have at most 100 entries')
    .transform((names) => [...new Set(names.flatMap(subscriptionsOf))])
    .optional()
    .describe(
      'Event types to send to the webhook. Initially all but `platform.security_changed`, which Tandem sends only if you name it. With an empty list, Tandem sends no events.',
    ),
  max_retries: whole(1, 3)
    .optional()
    .describe('Most attempts for one delivery, including the first, 1 to 3. Initially 3.'),
  timeout_seconds: whole(1, 30).optional().describe('Seconds an attempt waits for a response, 1 to 30. Initially 30.'),
});

export const ConfiguredWebhook = WebhookEndpoint.extend({
  success,
  secret: z
    .string()
    .optional()
    .describe('Secret that signs deliveries. Only if the URL is new. The secret is not shown again.'),
  message: note,
  warnings,
});

export const configureWebhook = operation({
  method: 'put',
  path: '/v1/platform/webhook',
  id: 'configureWebhook',
  key: 'platform',
  summary: 'Configure the webhook',
  description:
    'Changes only the webhook settings you send. The URL is required the first time. A new URL gets a new secret, and the previous secret stays valid for 24 hours.',
  body: WebhookRequest,
  answer: { is: 'Returns the configuration, and the secret if it is new.', schema: ConfiguredWebhook },
});

export const ShownWebhook = WebhookEndpoint.extend({
  previous_secret_valid_until: instantOf(
    'Time the newest previous secret expires',
    'Only while a previous secret is still valid.',
  ).optional(),
});

export const getWebhook = operation({
  method: 'get',
  path: '/v1/platform/webhook',
  id: 'getWebhook',
  key: 'platform',
  summary: 'Get the webhook configuration',
  description: 'The response does not contain the secret. Tandem shows a secret only once, when it is new.',
  answer: { is: 'Returns the configuration.', schema: ShownWebhook },
  errors: ['webhook_not_configured'],
});

export const RotatedSecret = z.object({
  success,
  secret: z.string().describe('The new secret, which is not shown again.'),
  previous_secret_valid_until: instantOf('Time the previous secret expires'),
  message: note,
});

export const rotateWebhookSecret = operation({
  method: 'post',
  path: '/v1/platform/webhook/rotate-secret',
  id: 'rotateWebhookSecret',
  key: 'platform',
  summary: 'Rotate the signing secret',
  description:
    'Creates a new secret. Previous secrets stay valid for 24 hours after they are replaced. During these 24 hours, deliveries also carry signatures made with the previous secrets in `X-Service-Signature-Previous`, newest first and at most 5. If your receiver responds with 400, 401 or 403, Tandem sends the event again, signed with each previous secret in turn.',
  answer: { is: 'Returns the new secret.', schema: RotatedSecret },
  errors: ['webhook_not_configured', 'secret_rotated'],
});

export const WebhookTestRequest = z.object({
  event_type: SampleName.default(TEST_EVENT).describe('Event type of the sample.'),
});

export const TestedWebhook = Delivery.extend({ warnings });

export const testWebhook = operation({
  method: 'post',
  path: '/v1/platform/webhook/test',
  id: 'testWebhook',
  key: 'platform',
  summary: 'Send a test event',
  description:
    'Sends `webhook.test`, or a sample of `event_type`, in a single attempt. The event is sent even if the webhook is disabled or not subscribed to that type.',
  body: WebhookTestRequest,
  isBodyOptional: true,
  answer: { is: 'Returns the outcome of the attempt, even if it failed.', schema: TestedWebhook },
  errors: ['webhook_not_configured'],
});

export const operations = [configureWebhook, getWebhook, rotateWebhookSecret, testWebhook];
