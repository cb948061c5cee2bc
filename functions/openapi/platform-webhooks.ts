import {
  ConfiguredWebhook,
  Delivery,
  DeliveryLog,
  DeliveryWithAttempts,
  ReplayedDelivery,
  ReplayedSince,
  RotatedSecret,
  ShownWebhook,
} from '../../schema/api/answers/webhooks.ts';
import { minutes as whole } from '../../schema/api/fields.ts';
import {
  WebhookLogQuery,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookTestRequest,
} from '../../schema/api/webhooks.ts';
import type { Group } from './operation.ts';

const params = { id: 'The id of a delivery, `wh_del_…`' };

export const platformWebhooks: Group = {
  tag: 'Webhooks',
  description: "Where the platform's events go, and how each delivery went.",
  operations: [
    {
      ...{ method: 'put', path: '/v1/platform/webhook', id: 'configureWebhook', key: 'platform' },
      summary: 'Set where events go and how',
      description:
        'What is left out keeps its value; the URL is required at first. A new URL gets a new secret; the former stays valid for 24 hours.',
      body: WebhookRequest,
      answer: { is: 'The configuration, with the secret when it is new.', schema: ConfiguredWebhook },
    },
    {
      ...{ method: 'get', path: '/v1/platform/webhook', id: 'getWebhook', key: 'platform' },
      summary: 'Read the configuration, without the secret',
      answer: { is: 'The configuration.', schema: ShownWebhook },
      errors: ['webhook_not_configured'],
    },
    {
      ...{ method: 'post', path: '/v1/platform/webhook/rotate-secret', id: 'rotateWebhookSecret', key: 'platform' },
      summary: 'Replace the signing secret',
      description: 'For 24 hours deliveries also carry the digest of the former one in X-Service-Signature-Previous.',
      answer: { is: 'The new secret.', schema: RotatedSecret },
      errors: ['webhook_not_configured', 'secret_rotated'],
    },
    {
      ...{ method: 'post', path: '/v1/platform/webhook/test', id: 'testWebhook', key: 'platform' },
      summary: 'Send a test event, once',
      description:
        'webhook.test, or a sample of event_type; also to a disabled endpoint and whatever it subscribed to.',
      body: WebhookTestRequest,
      isBodyOptional: true,
      answer: { is: 'How the attempt went; also when it failed.', schema: Delivery },
      errors: ['webhook_not_configured'],
    },
    {
      ...{ method: 'get', path: '/v1/platform/webhook/logs', id: 'listDeliveries', key: 'platform' },
      summary: 'List deliveries that have ended, newest first',
      query: WebhookLogQuery,
      shown: { limit: whole(1, 200).default(50).describe('Deliveries a page') },
      answer: { is: 'A page, statistics, and the cursor of the next page.', schema: DeliveryLog },
    },
    {
      ...{ method: 'get', path: '/v1/platform/webhook/logs/{id}', id: 'getDelivery', key: 'platform' },
      summary: 'Read a delivery with its attempts',
      params,
      answer: { is: 'The delivery, one still pending too.', schema: DeliveryWithAttempts },
      errors: ['delivery_not_found'],
    },
    {
      ...{ method: 'post', path: '/v1/platform/webhook/logs/{id}/replay', id: 'replayDelivery', key: 'platform' },
      summary: 'Send an event again',
      description: 'The same id and the same bytes, as a new delivery with attempts of its own.',
      params,
      answer: { status: 202, is: 'The new delivery.', schema: ReplayedDelivery },
      errors: ['delivery_not_found', 'webhook_not_configured', 'delivery_in_progress', 'webhook_disabled'],
    },
    {
      ...{ method: 'post', path: '/v1/platform/webhook/replay', id: 'replayDeliveries', key: 'platform' },
      summary: 'Send again every event since an instant',
      description: 'At most 5,000 a call, oldest first; with has_more the next call goes on at next_since.',
      body: WebhookReplayRequest,
      answer: { status: 202, is: 'How many events are being sent again.', schema: ReplayedSince },
      errors: ['webhook_not_configured', 'webhook_disabled'],
    },
  ],
};
