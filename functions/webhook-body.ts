import type { DeliveryRow, listAttempts } from '../schema/deliveries/log-queries.ts';
import type { EndpointRow } from '../schema/webhook-endpoints/queries.ts';

/** A webhook configuration as the wire has it (`interface.md`, Webhook configuration). */
export const endpointBody = ({ url, enabled, events, maxRetries, timeoutSeconds }: EndpointRow) => ({
  url,
  enabled,
  events,
  max_retries: maxRetries,
  timeout_seconds: timeoutSeconds,
});

/** A delivery as the wire has it (`interface.md`, Webhook delivery record). */
export const deliveryBody = (delivery: DeliveryRow) => ({
  id: delivery.id,
  event: delivery.eventType,
  timestamp: new Date(delivery.createdAt).toISOString(),
  status: delivery.status,
  response_code: delivery.responseCode,
  attempts: delivery.attempts,
  duration_ms: delivery.durationMs,
  ...(delivery.error === null ? {} : { error: delivery.error }),
  url: delivery.url,
});

/** One attempt at a delivery as the wire has it. */
export const attemptBody = (attempt: Awaited<ReturnType<typeof listAttempts>>[number]) => ({
  number: attempt.number,
  started_at: new Date(attempt.startedAt).toISOString(),
  response_code: attempt.responseCode,
  duration_ms: attempt.durationMs,
  ...(attempt.error === null ? {} : { error: attempt.error }),
});
