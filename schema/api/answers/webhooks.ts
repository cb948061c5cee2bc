import * as z from 'zod';
import { EVENT_TYPES } from '../events.ts';

const instant = z.string().describe('ISO 8601 in UTC');

/** A webhook configuration without its secret. */
const WebhookEndpoint = z.object({
  url: z.string(),
  enabled: z.boolean(),
  events: z.array(z.enum(EVENT_TYPES)).describe('Empty means all'),
  max_retries: z.int(),
  timeout_seconds: z.int(),
});

export const ConfiguredWebhook = WebhookEndpoint.extend({
  success: z.literal(true),
  secret: z.string().optional().describe('Only when the URL is new; shown once'),
  message: z.string(),
});

export const ShownWebhook = WebhookEndpoint.extend({
  previous_secret_valid_until: instant.optional().describe('Only while a former secret is still valid'),
});

export const RotatedSecret = z.object({
  success: z.literal(true),
  secret: z.string().describe('Shown once'),
  previous_secret_valid_until: instant,
  message: z.string(),
});

/** One delivery as the log has it (`interface.md`, Webhook delivery record). */
export const Delivery = z.object({
  id: z.string(),
  event: z.string(),
  timestamp: instant,
  status: z.enum(['success', 'failed', 'pending']).describe('pending only when read by its id'),
  response_code: z.int().describe('0 when there was no response'),
  attempts: z.int(),
  duration_ms: z.int(),
  error: z.string().optional(),
  url: z.string(),
});

export const DeliveryLog = z.object({
  deliveries: z.array(Delivery),
  stats: z.object({
    total_sent: z.int(),
    success_rate: z.number().min(0).max(1),
    avg_response_time_ms: z.int(),
    last_30_days: z.object({ success: z.int(), failed: z.int() }),
  }),
  pagination: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
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

export const ReplayedDelivery = z.object({
  success: z.literal(true),
  delivery_id: z.string(),
  event_id: z.string().describe('The same as before'),
  replay_of: z.string(),
  message: z.string(),
});

export const ReplayedSince = z.object({
  success: z.literal(true),
  replayed: z.int(),
  has_more: z.boolean(),
  next_since: instant.optional().describe('Only with has_more: the since of the next call'),
  message: z.string(),
});
