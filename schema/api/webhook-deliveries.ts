import * as z from 'zod';
import { Instant, id, instantOf, note, success, warnings, minutes as whole, wholeText } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery } from './paging.ts';
import { AnyEventName } from './webhook-events/names.ts';

const deliveryPath = z.object({ id: id('ID of the delivery, `wh_del_…`.') });

const Ended = z.enum(['success', 'failed'], 'must be success or failed');
const LogStatus = z.enum(['success', 'failed', 'pending'], 'must be success, failed or pending');

const durationMs = z.int().describe('Duration of the last attempt in milliseconds.');

/** One webhook delivery as GET /v1/platform/webhook/logs returns it. */
export const Delivery = z.object({
  id: z.string().describe('ID of the delivery, `wh_del_…`.'),
  event: z.string().describe('Event type.'),
  timestamp: instantOf('Time the delivery was created'),
  status: z
    .enum(['success', 'failed', 'pending'])
    .describe('State of the delivery. `pending`: it is still in progress.'),
  response_code: z.int().describe('HTTP status of the last response. 0 if there was no response.'),
  attempts: z.int().describe('Number of attempts so far, at most 3.'),
  duration_ms: durationMs,
  error: z.string().optional().describe('Reason why the last attempt failed.'),
  url: z.string().describe('URL to which the event was sent.'),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryLog = z.object({
  deliveries: z.array(Delivery).describe('Deliveries, newest first.'),
  stats: z
    .object({
      total_sent: z.int().describe('Number of deliveries that succeeded or failed.'),
      success_rate: z.number().min(0).max(1).describe('Share of finished deliveries that succeeded, 0 to 1.'),
      avg_response_time_ms: z.int().describe('Average response time in milliseconds.'),
      last_30_days: z
        .object({
          success: z.int().describe('Number of deliveries that succeeded.'),
          failed: z.int().describe('Number of deliveries that failed.'),
        })
        .describe('Deliveries of the last 30 days.'),
    })
    .describe('Statistics of all deliveries ever made, regardless of the filters. Test deliveries do not count.'),
  pagination: Pagination,
});

export const listDeliveries = operation({
  method: 'get',
  path: '/v1/platform/webhook/logs',
  id: 'listDeliveries',
  key: 'platform',
  summary: 'List webhook deliveries',
  description:
    'Returns deliveries newest first, including those in progress. The statistics count only deliveries that succeeded or failed, without tests.',
  query: z.object({
    ...pageQuery('wh_del_'),
    limit: wholeText(1, 200).default(50),
    event: AnyEventName.optional().describe('Only deliveries of this event type.'),
    status: LogStatus.optional().describe('Only deliveries in this state.'),
  }),
  shown: { limit: whole(1, 200).default(50).describe('Most deliveries per page, 1 to 200.') },
  answer: { is: 'Returns a page of deliveries, the statistics and the cursor of the next page.', schema: DeliveryLog },
});

const eventId = z.string().describe('ID of the event, `wh_…`. All deliveries of the event have this ID.');

export const DeliveryWithAttempts = Delivery.extend({
  event_id: eventId,
  replay_of: z.string().optional().describe('ID of the earlier delivery whose event this delivery sends again.'),
  body: z.string().describe('Request body, byte for byte as it was sent.'),
  attempt_log: z
    .array(
      z.object({
        number: z.int().describe('Number of the attempt, starting at 1.'),
        started_at: instantOf('Time the attempt started'),
        response_code: z.int().describe('HTTP status of the response. 0 if there was no response.'),
        duration_ms: z.int().describe('Duration of the attempt in milliseconds.'),
        error: z.string().optional().describe('Reason why the attempt failed.'),
      }),
    )
    .describe('Attempts, oldest first.'),
});

export const getDelivery = operation({
  method: 'get',
  path: '/v1/platform/webhook/logs/{id}',
  id: 'getDelivery',
  key: 'platform',
  summary: 'Get a delivery with its attempts',
  description: 'Deliveries stay in the log for 30 days.',
  params: deliveryPath,
  answer: { is: 'Returns the delivery, even if it is still pending.', schema: DeliveryWithAttempts },
  errors: ['delivery_not_found'],
});

export const ReplayedDelivery = z.object({
  success,
  delivery_id: z.string().describe('ID of the new delivery, `wh_del_…`.'),
  event_id: eventId,
  replay_of: z.string().describe('ID of the earlier delivery whose event this delivery sends again.'),
  message: note,
});

export const replayDelivery = operation({
  method: 'post',
  path: '/v1/platform/webhook/logs/{id}/replay',
  id: 'replayDelivery',
  key: 'platform',
  summary: 'Replay a delivery',
  description:
    "Sends the delivery's event again, with the event's ID and bytes unchanged, as a new delivery with attempts of its own.",
  params: deliveryPath,
  answer: { status: 202, is: 'Returns the ID of the new delivery.', schema: ReplayedDelivery },
  errors: ['delivery_not_found', 'webhook_not_configured', 'delivery_in_progress', 'webhook_disabled'],
});

export const WebhookReplayRequest = z.object({
  since: Instant.describe('Start time, ISO 8601 with an offset or Z. Events from this time on are sent again.'),
  status: Ended.optional().describe('Only events whose last delivery ended in this state.'),
});

export const ReplayedSince = z.object({
  success,
  replayed: z.int().describe('Number of events that Tandem sends again.'),
  has_more: z.boolean().describe('True if more events are left for another call.'),
  next_since: instantOf('Value of `since` for the next call', 'Only if has_more is true.').optional(),
  message: note,
  warnings,
});

export const replayDeliveries = operation({
  method: 'post',
  path: '/v1/platform/webhook/replay',
  id: 'replayDeliveries',
  key: 'platform',
  summary: 'Replay all events since a given time',
  description:
    'One call sends at most 5,000 events again, oldest first. If `has_more` is true, call again with `next_since` as `since`.',
  body: WebhookReplayRequest,
  answer: { status: 202, is: 'Returns the number of events being sent again.', schema: ReplayedSince },
  errors: ['webhook_not_configured', 'webhook_disabled'],
});

export const operations = [listDeliveries, getDelivery, replayDelivery, replayDeliveries];
