import * as z from 'zod';
import {
  address,
  bothAttendees as attendees,
  CalendarEventEnd,
  Conflict,
  endTime,
  fairness,
  instantOf,
  meetingId,
  meetLink,
  providerId,
  startTime,
  zoneName,
} from './fields.ts';
import { metadata } from './metadata.ts';

const jobId = z.string().describe('The job, as answered by scheduleAutomatically');
const processingMs = z.int().describe('How long the job took, in milliseconds');
const plan = z.string().describe('The plan of the platform');
const usageLimit = z.int().describe('Meetings the plan has a month');
const usageNote = z.string().describe('The same in a sentence');
const localTime = (what: string) => z.string().describe(`${what}, ISO 8601 with an offset or Z`);
const hour = (what: string) =>
  z.int().min(0).max(24).describe(`The hour at which their first day of work ${what}, rounded outwards`);

/** What each type of event says; the names are those of the wire. */
export const eventData = {
  'user.calendar.connected': z.object({
    user_email: address,
    provider_id: providerId,
    connected_at: instantOf('When they connected with this platform'),
    timezone: zoneName,
    preferences: z
      .object({ timezone: zoneName, working_hours_start: hour('begins'), working_hours_end: hour('ends') })
      .describe('Their work hours in short; the rest is read with listPlatformUsers'),
    calendar_access: z.literal('read_write').describe('What the platform may do with the calendar'),
  }),
  'user.calendar.disconnected': z.object({
    user_email: address,
    provider_id: providerId,
    disconnected_at: instantOf('When the access ended'),
    reason: z
      .enum(['user_requested', 'token_expired', 'revoked'])
      .describe('user_requested: by them or a platform; revoked: at the calendar provider'),
  }),
  'user.calendar.refresh_failed': z.object({
    user_email: address,
    provider_id: providerId,
    failed_at: instantOf('When it was noticed'),
    reason: z.string().describe('Why access could not be renewed'),
    action: z.literal('reauthorization_required').describe('What has to happen'),
    possible_causes: z.array(z.string()).describe('What may have led to it, in sentences'),
    oauth_url: z.string().describe('The link to send the person'),
    suggested_user_message: z.string().describe('What to tell them'),
  }),
  'meeting.scheduling.completed': z.object({
    job_id: jobId,
    success: z.literal(true).describe('A meeting is booked'),
    meeting_id: meetingId,
    provider_event_id: z.string().describe('The event on the calendar of the requester'),
    meet_link: meetLink,
    chosen_slot: z
      .object({
        start_time: localTime('When it starts'),
        end_time: localTime('When it ends'),
        score: z.number().describe('How good the time is for this kind of meeting, 0 to 1'),
        match_quality: z.string().describe('The score in a word: excellent from 0.8, good from 0.6, else fair'),
      })
      .describe('The time that was picked'),
    attendees,
    metadata,
    agent_reasoning: z.string().describe('Why this time, in two or three sentences for a person'),
    fairness,
    processing_time_ms: processingMs,
  }),
  'meeting.scheduling.failed': z.object({
    job_id: jobId,
    success: z.literal(false).describe('No meeting is booked'),
    error_code: z
      .enum([
        'NO_AVAILABILITY',
        'CALENDAR_NOT_FOUND',
        'TOKEN_EXPIRED',
        'TIMEZONE_ERROR',
        'GOOGLE_API_ERROR',
        'USAGE_LIMIT_EXCEEDED',
        'INTERNAL_ERROR',
      ])
      .describe('Why not'),
    error_message: z.string().describe('The same in a sentence'),
    attendees,
    metadata: metadata.describe('The pairs the platform sent with the request; empty without any'),
    suggestions: z.array(z.string()).describe('What would help, in sentences'),
    processing_time_ms: processingMs,
  }),
  'meeting.scheduled': z.object({
    meeting_id: meetingId,
    attendees,
    start_time: startTime,
    end_time: endTime,
    duration: z.int().describe('How long it takes, in minutes'),
    location: z.string().nullable().describe('Where it takes place'),
    meeting_url: meetLink,
    metadata,
    scheduled_at: instantOf('When it was booked'),
    scheduled_by: z.string().describe('The platform that booked it, `plat_…`'),
    rescheduled_from: z.string().optional().describe('The meeting whose place it takes'),
  }),
  'meeting.updated': z.object({
    meeting_id: meetingId,
    attendees,
    metadata,
    updated_at: instantOf('When it was changed'),
    changes: z
      .object({
        updated_by: z.string().describe('The platform, or calendar where it was moved there'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Why, as the platform said; of the calendar moved_in_calendar, attendee_declined or meet_link_ready',
          ),
        attendee: z.string().optional().describe('Who declined; only with the reason attendee_declined'),
        old_start_time: instantOf('When it was to start'),
        new_start_time: instantOf('When it starts now'),
        old_end_time: instantOf('When it was to end'),
        new_end_time: instantOf('When it ends now'),
        conflicts: z
          .array(Conflict)
          .optional()
          .describe('Live meetings of this platform that it overlaps now; only with the reason moved_in_calendar'),
      })
      .describe('What changed'),
  }),
  'meeting.cancelled': z.object({
    meeting_id: meetingId,
    attendees,
    metadata,
    start_time: instantOf('When it was to start'),
    cancelled_at: instantOf('When it was cancelled'),
    cancelled_by: z.string().describe('The platform, or calendar where it was deleted there'),
    reason: z.string().describe('Why it was cancelled'),
    calendar_event: CalendarEventEnd,
  }),
  'platform.usage_warning': z.object({
    current_usage: z.int().describe('Meetings made this month'),
    limit: usageLimit,
    percentage: z.number().describe('How much of the limit that is, in percent'),
    warned_at: instantOf('When the line was crossed'),
    plan,
    message: usageNote,
  }),
  'platform.usage_limit_reached': z.object({
    current_usage: z.int().describe('Meetings made this month'),
    limit: usageLimit,
    reached_at: instantOf('When the limit was reached'),
    plan,
    message: usageNote,
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
  id: z.string().startsWith('wh_').describe('The id of the event, `wh_…`: the same however often it is sent'),
  event_type: z.string().describe('The type of the event'),
  timestamp: instantOf('When it happened'),
  platform_id: z.string().describe('The platform it is told to, `plat_…`'),
  api_version: z.literal('v1').describe('The version of the API whose words it is told in'),
  data: z.record(z.string(), z.unknown()).describe('What happened, by the type of the event'),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;
