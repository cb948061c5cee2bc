import * as z from 'zod';
import { Instant, id, instant, warnings, minutes as whole, wholeText } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery } from './paging.ts';
import { AnyEventName, SampleName, TEST_EVENT } from './webhook-events.ts';

const deliveryPath = z.object({ id: id('The id of a delivery, `wh_del_…`') });

const Ended = z.enum(['success', 'failed'], 'must be success or failed');
const LogStatus = z.enum(['success', 'failed', 'pending'], 'must be success, failed or pending');

/** One delivery as the log has it (`interface.md`, Webhook delivery record). */
export const Delivery = z.object({
  id: z.string(),
  event: z.string(),
  timestamp: instant,
  status: z.enum(['success', 'failed', 'pending']).describe('pending: still under way'),
  response_code: z.int().describe('0 when there was no response'),
  attempts: z.int(),
  duration_ms: z.int(),
  error: z.string().optional().describe('Why the last attempt failed, in words'),
  url: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;

export const WebhookTestRequest = z.object({ event_type: SampleName.default(TEST_EVENT) });

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

export const DeliveryLog = z.object({
  deliveries: z.array(Delivery),
  stats: z.object({
    total_sent: z.int(),
    success_rate: z.number().min(0).max(1),
    avg_response_time_ms: z.int(),
    last_30_days: z.object({ success: z.int(), failed: z.int() }),
  }),
  pagination: Pagination,
});

export const listDeliveries = operation({
  method: 'get',
  path: '/v1/platform/webhook/logs',
  id: 'listDeliveries',
  key: 'platform',
  summary: 'List deliveries, newest first',
  description: 'Those still under way too. The statistics count deliveries that have ended, tests left out.',
  query: z.object({
    ...pageQuery('wh_del_'),
    limit: wholeText(1, 200).default(50),
    event: AnyEventName.optional(),
    status: LogStatus.optional(),
  }),
  shown: { limit: whole(1, 200).default(50).describe('Deliveries a page') },
  answer: { is: 'A page, statistics, and the cursor of the next page.', schema: DeliveryLog },
});

export const DeliveryWithAttempts = Delivery.extend({
  event_id: z.string(),
  replay_of: z.string().optional(),
  attempt_log: z.array(
    z.object({
      number: z.int(),
      started_at: instant,
      response_code: z.int(),
      duration_ms: z.int(),
      error: z.string().optional(),
    }),
  ),
});

export const getDelivery = operation({
  method: 'get',
  path: '/v1/platform/webhook/logs/{id}',
  id: 'getDelivery',
  key: 'platform',
  summary: 'Read a delivery with its attempts',
  params: deliveryPath,
  answer: { is: 'The delivery, one still pending too.', schema: DeliveryWithAttempts },
  errors: ['delivery_not_found'],
});

export const ReplayedDelivery = z.object({
  success: z.literal(true),
  delivery_id: z.string(),
  event_id: z.string().describe('The same as before'),
  replay_of: z.string(),
  message: z.string(),
});

export const replayDelivery = operation({
  method: 'post',
  path: '/v1/platform/webhook/logs/{id}/replay',
  id: 'replayDelivery',
  key: 'platform',
  summary: 'Send an event again',
  description: 'The same id and the same bytes, as a new delivery with attempts of its own.',
  params: deliveryPath,
  answer: { status: 202, is: 'The new delivery.', schema: ReplayedDelivery },
  errors: ['delivery_not_found', 'webhook_not_configured', 'delivery_in_progress', 'webhook_disabled'],
});

export const WebhookReplayRequest = z.object({ since: Instant, status: Ended.optional() });

export const ReplayedSince = z.object({
  success: z.literal(true),
  replayed: z.int(),
  has_more: z.boolean(),
  next_since: instant.optional().describe('Only with has_more: the since of the next call'),
  message: z.string(),
  warnings,
});

export const replayDeliveries = operation({
  method: 'post',
  path: '/v1/platform/webhook/replay',
  id: 'replayDeliveries',
  key: 'platform',
  summary: 'Send again every event since an instant',
  description: 'At most 5,000 a call, oldest first; with has_more the next call goes on at next_since.',
  body: WebhookReplayRequest,
  answer: { status: 202, is: 'How many events are being sent again.', schema: ReplayedSince },
  errors: ['webhook_not_configured', 'webhook_disabled'],
});

export const operations = [testWebhook, listDeliveries, getDelivery, replayDelivery, replayDeliveries];
