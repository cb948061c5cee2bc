import * as z from 'zod';
import { EVENT_TYPES } from './events.ts';
import { Instant, text, minutes as whole, wholeText } from './fields.ts';
import { parseLogCursor } from './log-cursor.ts';

/** Other spellings of event types (`interface.md`, Events). */
const ALIASES = new Map([
  ['meeting.rescheduled', 'meeting.updated'],
  ['user.calendar_connected', 'user.calendar.connected'],
]);

/** The type of an event that only says that events arrive. */
export const TEST_EVENT = 'webhook.test';

const canonical = (name: string) => ALIASES.get(name) ?? name;

const oneOf = (names: readonly string[]) =>
  z.enum(names as [string, ...string[]], `must be one of ${names.join(', ')}`).transform(canonical);

const Subscribable = oneOf([...EVENT_TYPES, ...ALIASES.keys()]);
const Sendable = oneOf([...EVENT_TYPES, ...ALIASES.keys(), TEST_EVENT]);

/** Body of `PUT /v1/platform/webhook`; a field left out keeps its value. */
export const WebhookRequest = z.object({
  url: text(2_048).trim().min(1, 'must not be empty').optional(),
  enabled: z.boolean('must be true or false').optional(),
  events: z
    .array(Subscribable, 'must be an array of event types')
    .max(100, 'must have at most 100 entries')
    .transform((names) => [...new Set(names)])
    .optional(),
  max_retries: whole(1, 3).optional(),
  timeout_seconds: whole(1, 30).optional(),
});

/** Body of `POST /v1/platform/webhook/test`. */
export const WebhookTestRequest = z.object({ event_type: Sendable.default(TEST_EVENT) });

/** Query of `GET /v1/platform/webhook/logs`. */
export const WebhookLogQuery = z.object({
  limit: wholeText(1, 200).default(50),
  event: Sendable.optional(),
  status: z.enum(['success', 'failed'], 'must be success or failed').optional(),
  cursor: z
    .string()
    .transform((cursor, context) => {
      const place = parseLogCursor(cursor);
      if (place !== undefined) return place;
      context.addIssue('must be a next_cursor of this log');
      return z.NEVER;
    })
    .optional(),
});

/** Body of `POST /v1/platform/webhook/replay`. */
export const WebhookReplayRequest = z.object({
  since: Instant,
  status: z.enum(['success', 'failed'], 'must be success or failed').optional(),
});
