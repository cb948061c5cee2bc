import { Hono } from 'hono';
import { configureWebhook, readWebhook, rotateSecret } from '../../lib/webhooks/endpoint.ts';
import { deliveryLog, readDeliveryWithAttempts } from '../../lib/webhooks/log.ts';
import { replayDelivery, replaySince } from '../../lib/webhooks/replay.ts';
import { testWebhook } from '../../lib/webhooks/test-webhook.ts';
import { formatLogCursor } from '../../schema/api/log-cursor.ts';
import {
  WebhookLogQuery,
  WebhookReplayRequest,
  WebhookRequest,
  WebhookTestRequest,
} from '../../schema/api/webhooks.ts';
import { readBody, readOptionalBody, readQuery } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { attemptBody, deliveryBody, endpointBody } from '../webhook-body.ts';

export const webhooks = new Hono<AppEnv>();

webhooks.put('/v1/platform/webhook', async (c) => {
  const { max_retries, timeout_seconds, ...given } = await readBody(c, WebhookRequest);
  const { endpoint, secret } = await configureWebhook(c.var.ctx, platformOf(c).id, {
    ...given,
    maxRetries: max_retries,
    timeoutSeconds: timeout_seconds,
  });
  return c.json({
    success: true,
    ...endpointBody(endpoint),
    ...(secret === undefined
      ? { message: 'The webhook is set; its secret is unchanged.' }
      : { secret, message: 'The webhook is set. Keep the secret now: it is not shown again.' }),
  });
});

webhooks.get('/v1/platform/webhook', async (c) => {
  const endpoint = await readWebhook(c.var.ctx, platformOf(c).id);
  const until = endpoint.previousValidUntil ?? 0;
  return c.json({
    ...endpointBody(endpoint),
    ...(until > c.var.ctx.clock.now() ? { previous_secret_valid_until: new Date(until).toISOString() } : {}),
  });
});

webhooks.post('/v1/platform/webhook/rotate-secret', async (c) => {
  const { secret, previousValidUntil } = await rotateSecret(c.var.ctx, platformOf(c).id);
  return c.json({
    success: true,
    secret,
    previous_secret_valid_until: new Date(previousValidUntil).toISOString(),
    message: 'Keep the secret now: it is not shown again. The former one stays valid for 24 hours.',
  });
});

webhooks.post('/v1/platform/webhook/test', async (c) => {
  const { event_type } = await readOptionalBody(c, WebhookTestRequest);
  return c.json(deliveryBody(await testWebhook(c.var.ctx, platformOf(c).id, event_type)));
});

webhooks.get('/v1/platform/webhook/logs', async (c) => {
  const { limit, event, status, cursor } = readQuery(c, WebhookLogQuery);
  const filter = { limit, eventType: event, status, before: cursor };
  const { deliveries, next, stats } = await deliveryLog(c.var.ctx, { ...filter, platformId: platformOf(c).id });
  return c.json({
    deliveries: deliveries.map(deliveryBody),
    stats: {
      total_sent: stats.totalSent,
      success_rate: stats.successRate,
      avg_response_time_ms: stats.averageMs,
      last_30_days: stats.recent,
    },
    pagination: { next_cursor: next === undefined ? null : formatLogCursor(next), has_more: next !== undefined },
  });
});

webhooks.get('/v1/platform/webhook/logs/:id', async (c) => {
  const { id } = c.req.param();
  const { delivery, attempts } = await readDeliveryWithAttempts(c.var.ctx, platformOf(c).id, id);
  const { eventId, replayOf } = delivery;
  return c.json({
    ...deliveryBody(delivery),
    event_id: eventId,
    ...(replayOf === null ? {} : { replay_of: replayOf }),
    attempt_log: attempts.map(attemptBody),
  });
});

webhooks.post('/v1/platform/webhook/logs/:id/replay', async (c) => {
  const { deliveryId, eventId, replayOf } = await replayDelivery(c.var.ctx, platformOf(c).id, c.req.param('id'));
  const message = 'The event is being sent again.';
  return c.json({ success: true, delivery_id: deliveryId, event_id: eventId, replay_of: replayOf, message }, 202);
});

webhooks.post('/v1/platform/webhook/replay', async (c) => {
  const request = await readBody(c, WebhookReplayRequest);
  const { replayed, nextSince } = await replaySince(c.var.ctx, platformOf(c).id, request);
  return c.json(
    {
      success: true,
      replayed,
      has_more: nextSince !== undefined,
      ...(nextSince === undefined ? {} : { next_since: new Date(nextSince).toISOString() }),
      message: `${replayed} events are being sent again.`,
    },
    202,
  );
});
