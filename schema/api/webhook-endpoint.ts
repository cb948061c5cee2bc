import * as z from 'zod';
import { instant, text, warnings, minutes as whole } from './fields.ts';
import { operation } from './operation.ts';
import { EventName, SUBSCRIBED_EVENTS, subscriptionsOf } from './webhook-events.ts';

/** A webhook configuration without its secret (`interface.md`, Webhook configuration). */
const WebhookEndpoint = z.object({
  url: z.string(),
  enabled: z.boolean(),
  events: z.array(z.enum(SUBSCRIBED_EVENTS)).describe('All where none was ever set; an empty list means none'),
  max_retries: z.int(),
  timeout_seconds: z.int(),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** A field left out keeps its value. */
export const WebhookRequest = z.object({
  url: text(2_048).trim().min(1, 'must not be empty').optional(),
  enabled: z.boolean('must be true or false').optional(),
  events: z
    .array(EventName, 'must be an array of event types')
    .max(100, 'must have at most 100 entries')
    .transform((names) => [...new Set(names.flatMap(subscriptionsOf))])
    .optional(),
  max_retries: whole(1, 3).optional(),
  timeout_seconds: whole(1, 30).optional(),
});

export const ConfiguredWebhook = WebhookEndpoint.extend({
  success: z.literal(true),
  secret: z.string().optional().describe('Only when the URL is new; shown once'),
  message: z.string(),
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
  previous_secret_valid_until: instant
    .optional()
    .describe('Only while a former secret is still valid: when the newest of them ends'),
});

export const getWebhook = operation({
  method: 'get',
  path: '/v1/platform/webhook',
  id: 'getWebhook',
  key: 'platform',
  summary: 'Read the configuration, without the secret',
  answer: { is: 'The configuration.', schema: ShownWebhook },
  errors: ['webhook_not_configured'],
});

export const RotatedSecret = z.object({
  success: z.literal(true),
  secret: z.string().describe('Shown once'),
  previous_secret_valid_until: instant,
  message: z.string(),
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

export const operations = [configureWebhook, getWebhook, rotateWebhookSecret];
