import { Hono } from 'hono';
import { deliveryLog, readDeliveryWithAttempts } from '../../lib/webhooks/delivery-log.ts';
import { replayDelivery, replaySince } from '../../lib/webhooks/replay.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as api from '../../schema/api/webhook-deliveries.ts';
import type { DeliveryRow } from '../../schema/delivery/deliveries-log.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const webhookDeliveries = new Hono<AppEnv>();

serve(webhookDeliveries, api.listDeliveries, async ({ ctx, platform, query }) => {
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

serve(webhookDeliveries, api.getDelivery, async ({ ctx, platform, params: { id } }) => {
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

serve(webhookDeliveries, api.replayDelivery, async ({ ctx, platform, params: { id } }) => {
  const { deliveryId, eventId, replayOf } = await replayDelivery(ctx, platform.id, id);
  return {
    success: true,
    delivery_id: deliveryId,
    event_id: eventId,
    replay_of: replayOf,
    message: 'Tandem is sending the event again in a new delivery.',
  };
});

serve(webhookDeliveries, api.replayDeliveries, async ({ ctx, platform, body }) => {
  const { replayed, nextSince } = await replaySince(ctx, platform.id, body);
  return {
    success: true,
    replayed,
    has_more: nextSince !== undefined,
    next_since: nextSince === undefined ? undefined : new Date(nextSince).toISOString(),
    message: replayed === 1 ? 'Tandem is sending one event again.' : `Tandem is sending ${replayed} events again.`,
  };
});

export const toDeliveryAnswer = (delivery: DeliveryRow): api.Delivery => ({
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
