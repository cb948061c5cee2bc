import * as z from 'zod';
import { CalendarEventEnd, fairness, instant } from './fields.ts';

const attendees = z.array(z.string());

/** What each type of event says; the names are those of the wire. */
export const eventData = {
  'user.calendar.connected': z.object({
    user_email: z.string(),
    provider_id: z.string(),
    connected_at: instant,
    timezone: z.string(),
    preferences: z.object({
      timezone: z.string(),
      working_hours_start: z.int(),
      working_hours_end: z.int(),
    }),
    calendar_access: z.literal('read_write'),
  }),
  'user.calendar.disconnected': z.object({
    user_email: z.string(),
    provider_id: z.string(),
    disconnected_at: instant,
    reason: z.enum(['user_requested', 'token_expired', 'revoked']),
  }),
  'user.calendar.refresh_failed': z.object({
    user_email: z.string(),
    provider_id: z.string(),
    failed_at: instant,
    reason: z.string(),
    action: z.literal('reauthorization_required'),
    possible_causes: z.array(z.string()),
    oauth_url: z.string(),
    suggested_user_message: z.string(),
  }),
  'meeting.scheduling.completed': z.object({
    job_id: z.string(),
    success: z.literal(true),
    meeting_id: z.string(),
    provider_event_id: z.string(),
    meet_link: z.string().nullable(),
    chosen_slot: z.object({
      start_time: z.string(),
      end_time: z.string(),
      score: z.number(),
      match_quality: z.string(),
    }),
    attendees,
    agent_reasoning: z.string(),
    fairness,
    processing_time_ms: z.int(),
  }),
  'meeting.scheduling.failed': z.object({
    job_id: z.string(),
    success: z.literal(false),
    error_code: z.enum([
      'NO_AVAILABILITY',
      'CALENDAR_NOT_FOUND',
      'TOKEN_EXPIRED',
      'TIMEZONE_ERROR',
      'GOOGLE_API_ERROR',
      'USAGE_LIMIT_EXCEEDED',
      'INTERNAL_ERROR',
    ]),
    error_message: z.string(),
    attendees,
    suggestions: z.array(z.string()),
    processing_time_ms: z.int(),
  }),
  'meeting.scheduled': z.object({
    meeting_id: z.string(),
    attendees,
    start_time: z.string(),
    end_time: z.string(),
    duration: z.int(),
    location: z.string().nullable(),
    meeting_url: z.string().nullable(),
    scheduled_at: instant,
    scheduled_by: z.string(),
    rescheduled_from: z.string().optional(),
  }),
  'meeting.updated': z.object({
    meeting_id: z.string(),
    attendees,
    updated_at: instant,
    changes: z.object({
      updated_by: z.string(),
      reason: z.string().nullable(),
      attendee: z.string().optional().describe('Who declined; only with the reason attendee_declined'),
      old_start_time: z.string(),
      new_start_time: z.string(),
      old_end_time: z.string(),
      new_end_time: z.string(),
    }),
  }),
  'meeting.cancelled': z.object({
    meeting_id: z.string(),
    attendees,
    start_time: z.string(),
    cancelled_at: instant,
    cancelled_by: z.string(),
    reason: z.string(),
    calendar_event: CalendarEventEnd,
  }),
  'platform.usage_warning': z.object({
    current_usage: z.int(),
    limit: z.int(),
    percentage: z.number(),
    warned_at: instant,
    plan: z.string(),
    message: z.string(),
  }),
  'platform.usage_limit_reached': z.object({
    current_usage: z.int(),
    limit: z.int(),
    reached_at: instant,
    plan: z.string(),
    message: z.string(),
  }),
};

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>;

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventData, type);
export const EVENT_TYPES = Object.keys(eventData).filter(isEventType);

/** The type of an event that only says that events arrive. */
export const TEST_EVENT = 'webhook.test';

/** The name of what moves a meeting: `meeting.updated`, and a `meeting.scheduled` that carries `rescheduled_from`. */
export const RESCHEDULED = 'meeting.rescheduled';

/** What a platform subscribes to. */
export const SUBSCRIBED_EVENTS = [...EVENT_TYPES, RESCHEDULED] as const;
export type SubscribedEvent = (typeof SUBSCRIBED_EVENTS)[number];

/** Another spelling of a type (`interface.md`, Events). */
const CONNECTED = 'user.calendar_connected';
const NAMES = [...SUBSCRIBED_EVENTS, CONNECTED] as const;

const dotted = <Name extends string>(name: Name) => (name === CONNECTED ? 'user.calendar.connected' : name);

/** What to subscribe to, under any of its names. */
export const EventName = z
  .enum(NAMES, `must be one of ${NAMES.join(', ')}`)
  .transform((name): SubscribedEvent => dotted(name) as SubscribedEvent);

/** What a name subscribes to: moving a meeting is told as an update, or as a new meeting in its place. */
export const subscriptionsOf = (name: SubscribedEvent): SubscribedEvent[] =>
  name === RESCHEDULED ? ['meeting.updated', RESCHEDULED] : [name];

/** The same, or that of a test. */
export const AnyEventName = z
  .enum([...NAMES, TEST_EVENT], `must be one of ${[...NAMES, TEST_EVENT].join(', ')}`)
  .transform((name) => dotted(name));

/** A type of event to send a sample of. */
export const SampleName = AnyEventName.transform((name) => (name === RESCHEDULED ? 'meeting.updated' : name));

/** What every webhook carries around its data. */
export const eventEnvelope = z.object({
  id: z.string().startsWith('wh_'),
  event_type: z.string(),
  timestamp: instant,
  platform_id: z.string(),
  api_version: z.literal('v1'),
  data: z.record(z.string(), z.unknown()),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;
