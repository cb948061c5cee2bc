import * as z from 'zod';
import { instantOf, note, success, text, warnings, minutes as whole } from './fields.ts';
import { operation } from './operation.ts';
import { Delivery } from './webhook-deliveries.ts';
import { EventName, SampleName, SUBSCRIBED_EVENTS, subscriptionsOf, TEST_EVENT } from './webhook-events.ts';

/** A webhook configuration without its secret (`interface.md`, Webhook configuration). */
const WebhookEndpoint = z.object({
  url: z.string().describe('Where events go'),
  enabled: z.boolean().describe('Whether events are sent'),
  events: z
    .array(z.enum(SUBSCRIBED_EVENTS))
    .describe('Which events are sent: all where none was ever set; an empty list means none'),
  max_retries: z.int().describe('How often a delivery is tried in all'),
  timeout_seconds: z.int().describe('How many seconds an attempt waits for an answer'),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** A field left out keeps its value. */
export const WebhookRequest = z.object({
  url: text(2_048)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe('Where events are to go: an HTTPS URL on a public host; required at first'),
  enabled: z.boolean('must be true or false').optional().describe('Whether events are to be sent; true at first'),
  events: z
    .array(EventName, 'must be an array of event types')
    .max(100, 'must have at most 100 entries')
    .transform((names) => [...new Set(names.flatMap(subscriptionsOf))])
    .optional()
    .describe('Which events are to be sent; all at first, and an empty list means none'),
  max_retries: whole(1, 3).optional().describe('How often a delivery is to be tried in all, 1 to 3; 3 at first'),
  timeout_seconds: whole(1, 30)
    .optional()
    .describe('How many seconds an attempt is to wait for an answer, 1 to 30; 30 at first'),
});

export const ConfiguredWebhook = WebhookEndpoint.extend({
  success,
  secret: z
    .string()
    .optional()
    .describe('Only when the URL is new: the secret that signs deliveries, shown here and never again'),
  message: note,
  warnings,
});

export const configureWebhook = operation({
  method: 'put',
  path: '/v1/platform/webhook',
  id: 'configureWebhook',
  key: 'platform',
  summary: 'Set where events go and how',
  description:
    'What is left out keeps its value; the URL is required at first. A new URL gets a new secret; the former stays valid for 24 hours.',
  body: WebhookRequest,
  answer: { is: 'The configuration, with the secret when it is new.', schema: ConfiguredWebhook },
});

export const ShownWebhook = WebhookEndpoint.extend({
  previous_secret_valid_until: instantOf(
    'Only while a former secret is still valid: when the newest of them ends',
  ).optional(),
});

export const getWebhook = operation({
  method: 'get',
  path: '/v1/platform/webhook',
  id: 'getWebhook',
  key: 'platform',
  summary: 'Read the configuration, without the secret',
  description: 'Secrets are shown once, when they are new.',
  answer: { is: 'The configuration.', schema: ShownWebhook },
  errors: ['webhook_not_configured'],
});

export const RotatedSecret = z.object({
  success,
  secret: z.string().describe('The new secret, shown here and never again'),
  previous_secret_valid_until: instantOf('Until when the former secret is valid'),
  message: note,
});

export const rotateWebhookSecret = operation({
  method: 'post',
  path: '/v1/platform/webhook/rotate-secret',
  id: 'rotateWebhookSecret',
  key: 'platform',
  summary: 'Replace the signing secret',
  description:
    'For 24 hours deliveries also carry the digests of the former ones in X-Service-Signature-Previous, newest first and at most five, and a receiver that answers 400, 401 or 403 is asked again under each.',
  answer: { is: 'The new secret.', schema: RotatedSecret },
  errors: ['webhook_not_configured', 'secret_rotated'],
});

export const WebhookTestRequest = z.object({
  event_type: SampleName.default(TEST_EVENT).describe('The type of event to send a sample of'),
});

export const TestedWebhook = Delivery.extend({ warnings });

export const testWebhook = operation({
  method: 'post',
  path: '/v1/platform/webhook/test',
  id: 'testWebhook',
  key: 'platform',
  summary: 'Send a test event, once',
  description: 'webhook.test, or a sample of event_type; also to a disabled endpoint and whatever it subscribed to.',
  body: WebhookTestRequest,
  isBodyOptional: true,
  answer: { is: 'How the attempt went; also when it failed.', schema: TestedWebhook },
  errors: ['webhook_not_configured'],
});

export const operations = [configureWebhook, getWebhook, rotateWebhookSecret, testWebhook];
