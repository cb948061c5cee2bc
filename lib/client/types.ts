import type * as z from 'zod';
import type { EventData, EventEnvelope, EventType } from '../../schema/api/webhook-events.ts';

type Api = typeof import('../../schema/api/availability.ts') &
  typeof import('../../schema/api/batches.ts') &
  typeof import('../../schema/api/calendars.ts') &
  typeof import('../../schema/api/http-errors.ts') &
  typeof import('../../schema/api/keys.ts') &
  typeof import('../../schema/api/meetings.ts') &
  typeof import('../../schema/api/own-user.ts') &
  typeof import('../../schema/api/platform.ts') &
  typeof import('../../schema/api/preferences.ts') &
  typeof import('../../schema/api/proposals.ts') &
  typeof import('../../schema/api/schedule.ts') &
  typeof import('../../schema/api/service.ts') &
  typeof import('../../schema/api/slot.ts') &
  typeof import('../../schema/api/webhooks.ts');
type Schema<Name extends keyof Api> = Extract<Api[Name], z.ZodType>;

// Types for use within this repository, derived from the API's zod schemas. The published package has types of the same
// names, generated from the OpenAPI document, because its users have no zod. There each schema is also a type by itself.
export type Answers = { [Name in keyof Api]: z.output<Schema<Name>> };
export type Bodies = { [Name in keyof Api]: z.input<Schema<Name>> };

/** Body of a webhook. `event_type` decides which fields `data` has. */
export type WebhookEvent =
  | EventOf<'webhook.test', Record<string, unknown>>
  | { [Type in EventType]: EventOf<Type, EventData<Type>> }[EventType];
type EventOf<Type, Data> = Omit<EventEnvelope, 'event_type' | 'data'> & { event_type: Type; data: Data };
