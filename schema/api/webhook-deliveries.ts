import * as z from 'zod';
import { docs } from '#docs';
import * as f from './fields.ts';
import { platformOperation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, USUAL_PAGE } from './paging.ts';
import { AnyEventName } from './webhook-events/names.ts';

const deliveryPath = z.object({ id: f.id('ID of the webhook delivery, `wh_del_…`.') });

const Ended = z.enum(['success', 'failed'], 'must be success or failed');
const LogStatus = z.enum(['success', 'failed', 'pending'], 'must be success, failed or pending');

const durationMs = z.int().describe(docs('Duration of the last attempt to send the delivery, in milliseconds.'));

export const Delivery = z.object({
  id: z.string().describe(docs('ID of the webhook delivery, `wh_del_…`.')),
  event: z.string().describe(docs('Type of the webhook event, which the event itself has in its field `event_type`.')),
  timestamp: f.instantOf('Time the delivery was created'),
  status: z
    .enum(['success', 'failed', 'pending'])
    .describe(docs('State of the delivery. `pending`: the delivery is still in progress.')),
  response_code: f.intOf(
    docs("HTTP status of your server's last response to the delivery. 0 if your server did not respond."),
  ),
  attempts: z.int().describe(docs('Number of attempts so far to send the delivery, at most 3.')),
  duration_ms: durationMs,
  error: f.stringOrAbsent(docs('Reason why the last attempt to send the delivery failed.')),
  url: z.string().describe(docs('URL to which the event was sent.')),
  redelivery_of: f.stringOrAbsent(
    docs('ID of the failed delivery whose event Tandem sends again by itself in this delivery.'),
  ),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryLog = z.object({
  deliveries: f.arrayOf(Delivery, docs('Webhook deliveries, newest first.')),
  stats: f.objectOf(
    docs(
      'Statistics of all webhook deliveries ever made, whichever filters the request has. Deliveries of test events do not count.',
    ),
    {
      total_sent: f.intOf(
        docs(
          'Number of webhook deliveries that succeeded or failed. A failed one whose event was sent again does not count.',
        ),
      ),
      success_rate: z
        .number()
        .min(0)
        .max(1)
        .describe(docs('Share of the deliveries in `total_sent` that succeeded, 0 to 1.')),
      avg_response_time_ms: z.int().describe(docs('Average time in milliseconds in which your server responded.')),
      last_30_days: f.objectOf(docs('Numbers of deliveries in the last 30 days.'), {
        success: z.int().describe(docs('Number of webhook deliveries in the last 30 days that succeeded.')),
        failed: f.intOf(
          docs('Number of webhook deliveries in the last 30 days that failed and whose events were not sent again.'),
        ),
      }),
    },
  ),
  pagination: Pagination,
});

export const listDeliveries = platformOperation({
  method: 'get',
  path: '/v1/platform/webhook/logs',
  id: 'listDeliveries',
  summary: docs('List webhook deliveries'),
  description: docs(
    'Returns webhook deliveries, newest first, including deliveries in progress. The statistics count only deliveries that succeeded or failed, and leave out test events.',
  ),
  query: z.object({
    ...pageQuery('wh_del_'),
    limit: f.wholeText(1, LARGEST_PAGE).default(USUAL_PAGE),
    event: AnyEventName.optional().describe(docs('Returns only webhook deliveries of the given event type.')),
    status: LogStatus.optional().describe(docs('Returns only webhook deliveries in the given state.')),
  }),
  shown: {
    limit: f
      .minutes(1, LARGEST_PAGE)
      .default(USUAL_PAGE)
      .describe(docs('Largest number of deliveries per page, 1 to 200.')),
  },
  answer: {
    is: docs('Returns a page of deliveries, the statistics and the cursor of the next page.'),
    schema: DeliveryLog,
  },
});

const eventId = f.stringOf(docs('ID of the event, `wh_…`. All deliveries of one event have the same event ID.'));

export const DeliveryWithAttempts = Delivery.extend({
  event_id: eventId,
  replay_of: f.stringOrAbsent(docs('ID of the earlier delivery, if this delivery sends an event again.')),
  body: z.string().describe(docs('Body of the webhook request, byte for byte as Tandem sent it.')),
  attempt_log: f.arrayOf(
    z.object({
      number: z.int().describe(docs('Number of the attempt, starting at 1.')),
      started_at: f.instantOf('Time the attempt started'),
      response_code: f.intOf(
        docs("HTTP status of your server's response to the attempt. 0 if your server did not respond."),
      ),
      duration_ms: z.int().describe(docs('Duration of the attempt to send the delivery, in milliseconds.')),
      error: f.stringOrAbsent(docs('Reason why the attempt to send the delivery failed.')),
    }),
    docs('Attempts to send the delivery, oldest first.'),
  ),
});

export const getDelivery = platformOperation({
  method: 'get',
  path: '/v1/platform/webhook/logs/{id}',
  id: 'getDelivery',
  summary: docs('Get a webhook delivery with every attempt to send it'),
  description: docs('Webhook deliveries stay in the log for 30 days.'),
  params: deliveryPath,
  answer: {
    is: docs('Returns the webhook delivery, even while the delivery is in progress.'),
    schema: DeliveryWithAttempts,
  },
  errors: ['delivery_not_found'],
});

export const ReplayedDelivery = z.object({
  success: f.success,
  delivery_id: z.string().describe(docs('ID of the new webhook delivery, `wh_del_…`.')),
  event_id: eventId,
  replay_of: z.string().describe(docs('ID of the earlier delivery, if this delivery sends an event again.')),
  message: f.note,
});

export const replayDelivery = platformOperation({
  method: 'post',
  path: '/v1/platform/webhook/logs/{id}/replay',
  id: 'replayDelivery',
  summary: docs('Replay a webhook delivery'),
  description: docs(
    'Sends the event of the given delivery again, in a new delivery. The new delivery has the same event ID and the same body, byte for byte. Events that you send again count: at most 10,000 per hour, then 429 `rate_limited` with `Retry-After`.',
  ),
  params: deliveryPath,
  answer: { status: 202, is: docs('Returns the ID of the new webhook delivery.'), schema: ReplayedDelivery },
  errors: ['delivery_not_found', 'webhook_not_configured', 'delivery_in_progress', 'webhook_disabled'],
});

export const WebhookReplayRequest = z.object({
  since: f.Instant.describe(docs('Time from which on Tandem sends events again, ISO 8601 with an offset or Z.')),
  status: Ended.optional().describe(
    docs("State of an event's last delivery. Tandem sends only the events again whose last delivery has this state."),
  ),
});

export const ReplayedSince = z.object({
  success: f.success,
  replayed: z.int().describe(docs('Number of events that Tandem sends again.')),
  has_more: f.booleanOf(
    docs('True if more events match than this call sent. To send the rest again, call this endpoint again.'),
  ),
  next_since: f.instantOf('Value of `since` for the next call', 'Present only if `has_more` is true.').optional(),
  message: f.note,
  warnings: f.warnings,
});

export const replayDeliveries = platformOperation({
  method: 'post',
  path: '/v1/platform/webhook/replay',
  id: 'replayDeliveries',
  summary: docs('Replay all webhook events since a given time'),
  description: docs(
    'One call sends at most 5,000 events again, oldest first. If `has_more` in the response is true, call this endpoint again, with the value of `next_since` as `since`. At most 10,000 are sent again per hour. The call that reaches that sends what is left, and further ones get 429 `rate_limited` with `Retry-After`.',
  ),
  body: WebhookReplayRequest,
  answer: { status: 202, is: docs('Returns the number of events that Tandem sends again.'), schema: ReplayedSince },
  errors: ['webhook_not_configured', 'webhook_disabled'],
});

export const operations = [listDeliveries, getDelivery, replayDelivery, replayDeliveries];
