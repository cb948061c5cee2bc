import * as z from 'zod';
import { Instant, id, instantOf, note, success, warnings, minutes as whole, wholeText } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery } from './paging.ts';
import { AnyEventName } from './webhook-events.ts';

const deliveryPath = z.object({ id: id('The id of a delivery, `wh_del_…`') });

const Ended = z.enum(['success', 'failed'], 'must be success or failed');
const LogStatus = z.enum(['success', 'failed', 'pending'], 'must be success, failed or pending');

const durationMs = z.int().describe('How long the last attempt took, in milliseconds');

/** One delivery as the log has it (`interface.md`, Webhook delivery record). */
export const Delivery = z.object({
  id: z.string().describe('The id of the delivery, `wh_del_…`'),
  event: z.string().describe('The type of the event'),
  timestamp: instantOf('When it was begun'),
  status: z.enum(['success', 'failed', 'pending']).describe('How it ended; pending: still under way'),
  response_code: z.int().describe('The status of the last response; 0 when there was none'),
  attempts: z.int().describe('Attempts made so far, at most 3'),
  duration_ms: durationMs,
  error: z.string().optional().describe('Why the last attempt failed, in words'),
  url: z.string().describe('Where it was sent'),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryLog = z.object({
  deliveries: z.array(Delivery).describe('The deliveries, newest first'),
  stats: z
    .object({
      total_sent: z.int().describe('Deliveries that have ended'),
      success_rate: z.number().min(0).max(1).describe('The share of them that succeeded, 0 to 1'),
      avg_response_time_ms: z.int().describe('How long responses took on average, in milliseconds'),
      last_30_days: z
        .object({ success: z.int().describe('Succeeded'), failed: z.int().describe('Failed') })
        .describe('The deliveries of the last 30 days'),
    })
    .describe('Of all deliveries there ever were, whatever the filters'),
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
    event: AnyEventName.optional().describe('Only deliveries of this type of event'),
    status: LogStatus.optional().describe('Only deliveries that stand so'),
  }),
  shown: { limit: whole(1, 200).default(50).describe('Deliveries a page') },
  answer: { is: 'A page, statistics, and the cursor of the next page.', schema: DeliveryLog },
});

const eventId = z.string().describe('The id of the event, `wh_…`, the same in all its deliveries');

export const DeliveryWithAttempts = Delivery.extend({
  event_id: eventId,
  replay_of: z.string().optional().describe('The delivery it sends again'),
  body: z.string().describe('The body as it was sent, byte for byte'),
  attempt_log: z
    .array(
      z.object({
        number: z.int().describe('1 for the first'),
        started_at: instantOf('When it was sent'),
        response_code: z.int().describe('The status of the response; 0 when there was none'),
        duration_ms: z.int().describe('How long it took, in milliseconds'),
        error: z.string().optional().describe('Why it failed, in words'),
      }),
    )
    .describe('Its attempts, in order'),
});

export const getDelivery = operation({
  method: 'get',
  path: '/v1/platform/webhook/logs/{id}',
  id: 'getDelivery',
  key: 'platform',
  summary: 'Read a delivery with its attempts',
  description: 'The log keeps a delivery for 30 days.',
  params: deliveryPath,
  answer: { is: 'The delivery, one still pending too.', schema: DeliveryWithAttempts },
  errors: ['delivery_not_found'],
});

export const ReplayedDelivery = z.object({
  success,
  delivery_id: z.string().describe('The id of the new delivery, `wh_del_…`'),
  event_id: eventId,
  replay_of: z.string().describe('The delivery it sends again'),
  message: note,
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

export const WebhookReplayRequest = z.object({
  since: Instant.describe('Events from then on are sent again, ISO 8601 with an offset or Z'),
  status: Ended.optional().describe('Only events whose last delivery ended so'),
});

export const ReplayedSince = z.object({
  success,
  replayed: z.int().describe('How many events are being sent again'),
  has_more: z.boolean().describe('Whether more of them are left for another call'),
  next_since: instantOf('Only with has_more: the since of the next call').optional(),
  message: note,
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

export const operations = [listDeliveries, getDelivery, replayDelivery, replayDeliveries];
