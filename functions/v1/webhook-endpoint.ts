import { Hono } from 'hono';
import { configureWebhook, readWebhook, rotateSecret, testWebhook } from '../../lib/webhooks/endpoint.ts';
import type { EndpointRow } from '../../schema/access/webhook-endpoints.ts';
import * as api from '../../schema/api/webhook-endpoint.ts';
import { DEFAULT_EVENTS } from '../../schema/api/webhook-events/names.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';
import { toDeliveryAnswer } from './webhook-deliveries.ts';

export const webhookEndpoint = new Hono<AppEnv>();

serve(webhookEndpoint, api.configureWebhook, async ({ ctx, platform, body }) => {
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

serve(webhookEndpoint, api.getWebhook, async ({ ctx, platform }) => {
  const endpoint = await readWebhook(ctx, platform.id);
  const until = endpoint.previousSecrets[0]?.validUntil ?? 0;
  return {
    ...toEndpointAnswer(endpoint),
    failing_since: endpoint.failingSince === null ? undefined : new Date(endpoint.failingSince).toISOString(),
    next_redelivery_at: nextRedelivery(endpoint),
    previous_secret_valid_until: until > ctx.clock.now() ? new Date(until).toISOString() : undefined,
  };
});

serve(webhookEndpoint, api.rotateWebhookSecret, async ({ ctx, platform }) => {
  const { secret, previousValidUntil } = await rotateSecret(ctx, platform.id);
  return {
    success: true,
    secret,
    previous_secret_valid_until: new Date(previousValidUntil).toISOString(),
    message: 'Store the secret now, because it is not shown again. The previous secret stays valid for 24 hours.',
  };
});

serve(webhookEndpoint, api.testWebhook, async ({ ctx, platform, body }) =>
  toDeliveryAnswer(await testWebhook(ctx, platform.id, body.event_type)),
);

const toEndpointAnswer = (endpoint: EndpointRow): api.WebhookEndpoint => ({
  url: endpoint.url,
  enabled: endpoint.enabled,
  events: endpoint.events ?? DEFAULT_EVENTS,
  max_retries: endpoint.maxRetries,
  timeout_seconds: endpoint.timeoutSeconds,
  redeliver_hours: endpoint.redeliverHours,
});

const nextRedelivery = ({ enabled, redeliverHours, redeliverAt }: EndpointRow) =>
  redeliverAt === null || redeliverHours === 0 || !enabled ? undefined : new Date(redeliverAt).toISOString();
