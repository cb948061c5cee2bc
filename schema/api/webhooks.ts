import * as z from 'zod';
import { answer, docs } from '#docs';
import * as f from './fields.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownPage, USUAL_PAGE } from './paging.ts';
import {
  AnyEventName,
  DEFAULTS_PHRASE,
  EventName,
  SampleName,
  SUBSCRIBED_EVENTS,
  subscriptionsOf,
  TEST_EVENT,
} from './webhook-events.ts';

const WebhookEndpoint = answer(() => ({
  url: z.string().describe('URL that receives webhook events.'),
  enabled: z.boolean().describe('True if Tandem sends webhook events.'),
  events: f.arrayOf(
    z.enum(SUBSCRIBED_EVENTS),
    `Event types that Tandem sends to the webhook. Initially, these are ${DEFAULTS_PHRASE}. With an empty list, Tandem sends no events.`,
  ),
  max_retries: z.int().describe('Largest number of attempts to send one delivery, including the first attempt.'),
  timeout_seconds: f.intOf("Number of seconds that Tandem waits for your server's response in each attempt."),
  redeliver_hours: f.intOf(
    'Hours for which Tandem sends an event again by itself after its delivery failed. 0 for never.',
  ),
}));
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Most attempts to send one delivery, and the most seconds that each waits, which are also the defaults. */
const MOST_ATTEMPTS = 3;
export const LONGEST_TIMEOUT_SECONDS = 30;

export const LONGEST_REDELIVER_HOURS = 72;

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
  events: f.optionalOf(
    z
      .array(EventName, 'must be an array of event types, such as ["meeting.scheduled"]')
      .max(100, 'must have at most 100 entries')
      .transform((names) => [...new Set(names.flatMap(subscriptionsOf))]),
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

export const secretOfNewUrl = f.stringOrAbsent(
  docs(
    'Secret with which Tandem signs webhook deliveries. Present only if the webhook URL is new. Tandem does not show this secret again.',
  ),
);

export const ConfiguredWebhook = answer(() => ({
  ...WebhookEndpoint.shape,
  success: f.success,
  secret: secretOfNewUrl,
  message: f.note,
  warnings: f.warnings,
}));

export const configureWebhook = platformOperation('put /v1/platform/webhook', {
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

export const ShownWebhook = answer(() => ({
  ...WebhookEndpoint.shape,
  failing_since: f.instantOrAbsent(
    'Time of the oldest event that has failed since a delivery last succeeded, for the `since` of a replay',
    'Present only while deliveries fail.',
  ),
  next_redelivery_at: f.instantOrAbsent(
    'Time at which Tandem sends a failed event again by itself',
    'Absent if none is planned, or while one is being sent.',
  ),
  previous_secret_valid_until: f.instantOrAbsent(
    'Time the most recent previous webhook secret expires',
    'Present only while a previous webhook secret is still valid.',
  ),
}));

export const getWebhook = platformOperation('get /v1/platform/webhook', {
  summary: docs('Get the webhook configuration'),
  description: docs(
    'The response does not contain the webhook secret. Tandem shows a webhook secret only once, when the secret is new.',
  ),
  answer: { is: docs('Returns the webhook configuration.'), schema: ShownWebhook },
  errors: ['webhook_not_configured'],
});

export const RotatedSecret = answer(() => ({
  success: f.success,
  secret: z.string().describe('The new webhook secret, which Tandem does not show again.'),
  previous_secret_valid_until: f.instantOf('Time the previous webhook secret expires'),
  message: f.note,
}));

export const rotateWebhookSecret = platformOperation('post /v1/platform/webhook/rotate-secret', {
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

const durationMs = z.int().describe(docs('Duration of the last attempt to send the delivery, in milliseconds.'));

export const Delivery = answer(() => ({
  id: z.string().describe('ID of the webhook delivery, `wh_del_…`.'),
  event: z.string().describe('Type of the webhook event, which the event itself has in its field `event_type`.'),
  timestamp: f.instantOf('Time the delivery was created'),
  status: z
    .enum(['success', 'failed', 'pending'])
    .describe('State of the delivery. `pending`: the delivery is still in progress.'),
  response_code: f.intOf(
    "HTTP status of your server's last response to the delivery. 0 if your server did not respond.",
  ),
  attempts: z.int().describe('Number of attempts so far to send the delivery, at most 3.'),
  duration_ms: durationMs,
  error: f.stringOrAbsent('Reason why the last attempt to send the delivery failed.'),
  url: z.string().describe('URL to which the event was sent.'),
  redelivery_of: f.stringOrAbsent(
    'ID of the failed delivery whose event Tandem sends again by itself in this delivery.',
  ),
}));
export type Delivery = z.infer<typeof Delivery>;

export const TestedWebhook = answer(() => ({ ...Delivery.shape, warnings: f.warnings }));

export const testWebhook = platformOperation('post /v1/platform/webhook/test', {
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

const deliveryPath = z.object({ id: f.id(docs('ID of the webhook delivery, `wh_del_…`.')) });

const Ended = z.enum(['success', 'failed'], 'must be success or failed');
const LogStatus = z.enum(['success', 'failed', 'pending'], 'must be success, failed or pending');

export const DeliveryLog = answer(() => ({
  deliveries: f.arrayOf(Delivery, 'Webhook deliveries, newest first.'),
  stats: f.objectOf(
    'Statistics of all webhook deliveries ever made, whichever filters the request has. Deliveries of test events do not count.',
    {
      total_sent: f.intOf(
        'Number of webhook deliveries that succeeded or failed. A failed one whose event was sent again does not count.',
      ),
      success_rate: f.shareOf('Share of the deliveries in `total_sent` that succeeded, 0 to 1.'),
      avg_response_time_ms: z.int().describe('Average time in milliseconds in which your server responded.'),
      last_30_days: f.objectOf('Numbers of deliveries in the last 30 days.', {
        success: z.int().describe('Number of webhook deliveries in the last 30 days that succeeded.'),
        failed: f.intOf(
          'Number of webhook deliveries in the last 30 days that failed and whose events were not sent again.',
        ),
      }),
    },
  ),
  pagination: Pagination,
}));

export const listDeliveries = platformOperation('get /v1/platform/webhook/logs', {
  summary: docs('List webhook deliveries'),
  description: docs(
    'Returns webhook deliveries, newest first, including deliveries in progress. The statistics count only deliveries that succeeded or failed, and leave out test events.',
  ),
  query: z.object({
    ...pageQuery('wh_del_'),
    limit: pageLimit.default(USUAL_PAGE),
    event: AnyEventName.optional().describe(docs('Returns only webhook deliveries of the given event type.')),
    status: LogStatus.optional().describe(docs('Returns only webhook deliveries in the given state.')),
  }),
  shown: shownPage(docs('Largest number of deliveries per page, 1 to 200.')),
  answer: {
    is: docs('Returns a page of deliveries, the statistics and the cursor of the next page.'),
    schema: DeliveryLog,
  },
});

const eventId = f.stringOf(docs('ID of the event, `wh_…`. All deliveries of one event have the same event ID.'));

export const DeliveryWithAttempts = answer(() => ({
  ...Delivery.shape,
  event_id: eventId,
  replay_of: f.stringOrAbsent('ID of the earlier delivery, if this delivery sends an event again.'),
  body: z.string().describe('Body of the webhook request, byte for byte as Tandem sent it.'),
  attempt_log: f.arrayOf(
    z.object({
      number: z.int().describe('Number of the attempt, starting at 1.'),
      started_at: f.instantOf('Time the attempt started'),
      response_code: f.intOf("HTTP status of your server's response to the attempt. 0 if your server did not respond."),
      duration_ms: z.int().describe('Duration of the attempt to send the delivery, in milliseconds.'),
      error: f.stringOrAbsent('Reason why the attempt to send the delivery failed.'),
    }),
    'Attempts to send the delivery, oldest first.',
  ),
}));

export const getDelivery = platformOperation('get /v1/platform/webhook/logs/{id}', {
  summary: docs('Get a webhook delivery with every attempt to send it'),
  description: docs('Webhook deliveries stay in the log for 30 days.'),
  params: deliveryPath,
  answer: {
    is: docs('Returns the webhook delivery, even while the delivery is in progress.'),
    schema: DeliveryWithAttempts,
  },
  errors: ['delivery_not_found'],
});

export const ReplayedDelivery = answer(() => ({
  success: f.success,
  delivery_id: z.string().describe('ID of the new webhook delivery, `wh_del_…`.'),
  event_id: eventId,
  replay_of: z.string().describe('ID of the earlier delivery, if this delivery sends an event again.'),
  message: f.note,
}));

export const replayDelivery = platformOperation('post /v1/platform/webhook/logs/{id}/replay', {
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

export const ReplayedSince = answer(() => ({
  success: f.success,
  replayed: z.int().describe('Number of events that Tandem sends again.'),
  has_more: f.booleanOf(
    'True if more events match than this call sent. To send the rest again, call this endpoint again.',
  ),
  next_since: f.instantOrAbsent('Value of `since` for the next call', 'Present only if `has_more` is true.'),
  message: f.note,
  warnings: f.warnings,
}));

export const replayDeliveries = platformOperation('post /v1/platform/webhook/replay', {
  summary: docs('Replay all webhook events since a given time'),
  description: docs(
    'One call sends at most 5,000 events again, oldest first. If `has_more` in the response is true, call this endpoint again, with the value of `next_since` as `since`. At most 10,000 are sent again per hour. The call that reaches that sends what is left, and further ones get 429 `rate_limited` with `Retry-After`.',
  ),
  body: WebhookReplayRequest,
  answer: { status: 202, is: docs('Returns the number of events that Tandem sends again.'), schema: ReplayedSince },
  errors: ['webhook_not_configured', 'webhook_disabled'],
});

export const operations = {
  configureWebhook,
  getWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  replayDelivery,
  replayDeliveries,
};
