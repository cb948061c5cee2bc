import { Hono } from 'hono';
import { deliveryLog, readDeliveryWithAttempts } from '../../lib/webhooks/delivery-log.ts';
import { configureWebhook, readWebhook, rotateSecret, testWebhook } from '../../lib/webhooks/endpoint.ts';
import { replayDelivery, replaySince } from '../../lib/webhooks/replay.ts';
import type { EndpointRow } from '../../schema/access/webhook-endpoints.ts';
import { toPagination } from '../../schema/api/paging.ts';
import { DEFAULT_EVENTS } from '../../schema/api/webhook-events.ts';
import * as webhooksApi from '../../schema/api/webhooks.ts';
import type { DeliveryRow } from '../../schema/delivery/deliveries-log.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const webhooks = new Hono<AppEnv>();

serve(webhooks, webhooksApi.configureWebhook, async ({ ctx, platform, body }) => {
  const { max_retries: maxRetries, timeout_seconds: timeoutSeconds, redeliver_hours: redeliverHours, ...given } = body;
  const settings = { ...given, maxRetries, timeoutSeconds, redeliverHours };
  const { endpoint, secret } = await configureWebhook(ctx, platform.id, settings);
  const isKept = secret === undefined;
  return {
    success: true,
    ...toEndpointAnswer(endpoint),
    secret,
    message: isKept
      ? 'The webhook is configured. Its secret is unchanged.'
      : 'The webhook is configured. Store the secret now, because it is not shown again.',
  };
});

serve(webhooks, webhooksApi.getWebhook, async ({ ctx, platform }) => {
  const endpoint = await readWebhook(ctx, platform.id);
  const until = endpoint.previousSecrets[0]?.validUntil ?? 0;
  return {
    ...toEndpointAnswer(endpoint),
    failing_since: endpoint.failingSince === null ? undefined : new Date(endpoint.failingSince).toISOString(),
    next_redelivery_at: nextRedelivery(endpoint),
    previous_secret_valid_until: until > ctx.clock.now() ? new Date(until).toISOString() : undefined,
  };
});

serve(webhooks, webhooksApi.rotateWebhookSecret, async ({ ctx, platform }) => {
  const { secret, previousValidUntil } = await rotateSecret(ctx, platform.id);
  return {
    success: true,
    secret,
    previous_secret_valid_until: new Date(previousValidUntil).toISOString(),
    message: 'Store the secret now, because it is not shown again. The previous secret stays valid for 24 hours.',
  };
});

serve(webhooks, webhooksApi.testWebhook, async ({ ctx, platform, body }) =>
  toDeliveryAnswer(await testWebhook(ctx, platform.id, body.event_type)),
);

const toEndpointAnswer = (endpoint: EndpointRow): webhooksApi.WebhookEndpoint => ({
  url: endpoint.url,
  enabled: endpoint.enabled,
  events: endpoint.events ?? DEFAULT_EVENTS,
  max_retries: endpoint.maxRetries,
  timeout_seconds: endpoint.timeoutSeconds,
  redeliver_hours: endpoint.redeliverHours,
});

const nextRedelivery = ({ enabled, redeliverHours, redeliverAt }: EndpointRow) =>
  redeliverAt === null || redeliverHours === 0 || !enabled ? undefined : new Date(redeliverAt).toISOString();

serve(webhooks, webhooksApi.listDeliveries, async ({ ctx, platform, query }) => {
  const { limit, event, status, cursor: after } = query;
  const log = await deliveryLog(ctx, { platformId: platform.id, limit, event, status, after });
  return {
    deliveries: log.deliveries.map(toDeliveryAnswer),
    stats: {
      total_sent: log.stats.totalSent,
      success_rate: log.stats.successRate,
      avg_response_time_ms: log.stats.averageMs,
      last_30_days: log.stats.recent,
    },
    pagination: toPagination(log.next),
  };
});

serve(webhooks, webhooksApi.getDelivery, async ({ ctx, platform, params: { id } }) => {
  const { delivery, attempts } = await readDeliveryWithAttempts(ctx, platform.id, id);
  return {
    ...toDeliveryAnswer(delivery),
    event_id: delivery.eventId,
    replay_of: delivery.replayOf ?? undefined,
    body: delivery.body,
    attempt_log: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: new Date(attempt.startedAt).toISOString(),
      response_code: attempt.responseCode,
      duration_ms: attempt.durationMs,
      error: attempt.error ?? undefined,
    })),
  };
});

serve(webhooks, webhooksApi.replayDelivery, async ({ ctx, platform, params: { id } }) => {
  const { deliveryId, eventId, replayOf } = await replayDelivery(ctx, platform.id, id);
  return {
    success: true,
    delivery_id: deliveryId,
    event_id: eventId,
    replay_of: replayOf,
    message: 'Tandem is sending the event again in a new delivery.',
  };
});

serve(webhooks, webhooksApi.replayDeliveries, async ({ ctx, platform, body }) => {
  const { replayed, nextSince } = await replaySince(ctx, platform.id, body);
  return {
    success: true,
    replayed,
    has_more: nextSince !== undefined,
    next_since: nextSince === undefined ? undefined : new Date(nextSince).toISOString(),
    message: replayed === 1 ? 'Tandem is sending one event again.' : `Tandem is sending ${replayed} events again.`,
  };
});

const toDeliveryAnswer = (delivery: DeliveryRow): webhooksApi.Delivery => ({
  id: delivery.id,
  event: delivery.eventType,
  timestamp: new Date(delivery.createdAt).toISOString(),
  status: delivery.status,
  response_code: delivery.responseCode,
  attempts: delivery.attempts,
  duration_ms: delivery.durationMs,
  error: delivery.error ?? undefined,
  url: delivery.url,
  redelivery_of: delivery.redeliveries > 0 ? (delivery.replayOf ?? undefined) : undefined,
});
