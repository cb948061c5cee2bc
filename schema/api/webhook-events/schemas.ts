import * as z from 'zod';
import { ACTOR_KINDS, SECURITY_CHANGES } from '../audit-actions.ts';
import {
  address,
  bothAttendees as attendees,
  BookingOfJob,
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
} from '../fields.ts';
import { metadata } from '../metadata.ts';
import { comfort } from '../slot.ts';

const jobId = z.string().describe('ID of the job, returned by scheduleAutomatically.');
const processingMs = z.int().describe('Duration of the job in milliseconds.');
const plan = z.string().describe('Plan of the platform.');
const usageLimit = z.int().describe('Meetings per month in the plan.');
const usageNote = z.string().describe('The usage in a sentence.');
const localTime = (what: string) => z.string().describe(`${what}, ISO 8601 with an offset or Z.`);
const hour = (what: string, rounded: 'down' | 'up') =>
  z.int().min(0).max(24).describe(`Hour at which the person's first work day of the week ${what}, rounded ${rounded}.`);

/** Fields of every event about a proposal. */
const ofProposal = {
  proposal_id: z.string().describe('ID of the proposal, `prop_…`.'),
  attendees,
  title: z.string().describe('Title of the meeting that was proposed.'),
  duration_minutes: z.int().describe('Length of the meeting in minutes.'),
  metadata: metadata.describe(
    'Key-value pairs that the platform sent with the proposal. Empty if the platform sent no pairs.',
  ),
};

/** Schemas of the `data` field of webhook events, keyed by event type. Field names are those on the wire. */
export const eventData = {
  'user.calendar.connected': z.object({
    user_email: address,
    provider_id: providerId,
    connected_at: instantOf('Time the person connected to this platform'),
    timezone: zoneName,
    preferences: z
      .object({
        timezone: zoneName,
        working_hours_start: hour('starts', 'down'),
        working_hours_end: hour('ends', 'up'),
      })
      .describe("Summary of the person's work hours. listPlatformUsers returns all preferences."),
    calendar_access: z.literal('read_write').describe('Access that the platform has to the calendar.'),
  }),
  'user.calendar.disconnected': z.object({
    user_email: address,
    provider_id: providerId,
    disconnected_at: instantOf('Time access ended'),
    reason: z
      .enum(['user_requested', 'token_expired', 'revoked'])
      .describe(
        'Reason for the disconnection. `user_requested`: the person or a platform disconnected the calendar. `token_expired`: the person did not reconnect within 7 days after access failed. `revoked`: access was revoked at the calendar provider.',
      ),
  }),
  'user.calendar.refresh_failed': z.object({
    user_email: address,
    provider_id: providerId,
    failed_at: instantOf('Time the failure was noticed'),
    reason: z.string().describe('Reason why access could not be renewed.'),
    action: z.literal('reauthorization_required').describe('Action that restores the access to the calendar.'),
    possible_causes: z.array(z.string()).describe('Possible causes, one sentence each.'),
    oauth_url: z.string().describe('Link to send to the person.'),
    suggested_user_message: z.string().describe('Message about the lost access that you can show to the person.'),
  }),
  'meeting.scheduling.completed': z.object({
    job_id: jobId,
    success: z.literal(true).describe('True: a meeting is booked.'),
    meeting_id: meetingId,
    provider_event_id: z.string().describe("ID of the event on the requester's calendar."),
    meet_link: meetLink,
    chosen_slot: z
      .object({
        start_time: localTime('Start of the meeting'),
        end_time: localTime('End of the meeting'),
        score: z.number().describe('Rating of the time for this kind of meeting, 0 to 1.'),
        comfort: comfort.optional().describe('Rating of how comfortable the time is for both people, 0 to 1.'),
        match_quality: z.string().describe('Score as a word: `excellent` from 0.8, `good` from 0.6, otherwise `fair`.'),
      })
      .describe('Time that was chosen.'),
    attendees,
    metadata,
    agent_reasoning: z.string().describe('Reason for the chosen time, in two or three sentences for a person.'),
    fairness,
    processing_time_ms: processingMs,
  }),
  'meeting.scheduling.failed': z.object({
    job_id: jobId,
    success: z.literal(false).describe('False: no meeting is booked.'),
    error_code: z
      .enum([
        'NO_AVAILABILITY',
        'CALENDAR_NOT_FOUND',
        'TOKEN_EXPIRED',
        'TIMEZONE_ERROR',
        'GOOGLE_API_ERROR',
        'USAGE_LIMIT_EXCEEDED',
        'INTERNAL_ERROR',
        'CANCELLED',
      ])
      .describe('Reason for the failure.'),
    error_message: z.string().describe('Reason for the failure, in a sentence.'),
    booking: BookingOfJob.optional(),
    attendees,
    metadata: metadata.describe(
      'Key-value pairs that the platform sent with the request. Empty if the platform sent no pairs.',
    ),
    suggestions: z.array(z.string()).describe('Suggestions for what to do, one sentence each.'),
    processing_time_ms: processingMs,
  }),
  'meeting.scheduled': z.object({
    meeting_id: meetingId,
    attendees,
    start_time: startTime,
    end_time: endTime,
    duration: z.int().describe('Length of the meeting in minutes.'),
    location: z.string().nullable().describe('Location of the meeting.'),
    meeting_url: meetLink,
    metadata,
    scheduled_at: instantOf('Time of the booking'),
    scheduled_by: z.string().describe('ID of the platform that booked the meeting, `plat_…`.'),
    rescheduled_from: z.string().optional().describe('ID of the old meeting that this meeting replaces.'),
  }),
  'meeting.updated': z.object({
    meeting_id: meetingId,
    attendees,
    metadata,
    updated_at: instantOf('Time of the change'),
    changes: z
      .object({
        updated_by: z.string().describe('ID of the platform, or `calendar` if the change was made in the calendar.'),
        reason: z
          .string()
          .nullable()
          .describe(
            'Reason that the platform gave. For changes in the calendar: `moved_in_calendar`, `attendee_declined` or `meet_link_ready`.',
          ),
        attendee: z
          .string()
          .optional()
          .describe('Email address of the person who declined. Only with the reason attendee_declined.'),
        old_start_time: instantOf('Previous start of the meeting'),
        new_start_time: instantOf('New start of the meeting'),
        old_end_time: instantOf('Previous end of the meeting'),
        new_end_time: instantOf('New end of the meeting'),
        conflicts: z
          .array(Conflict)
          .optional()
          .describe(
            'Live meetings of this platform that overlap the new time. Only with the reason moved_in_calendar.',
          ),
      })
      .describe('Changes to the meeting.'),
  }),
  'meeting.cancelled': z.object({
    meeting_id: meetingId,
    attendees,
    metadata,
    start_time: instantOf('Start of the meeting'),
    cancelled_at: instantOf('Time of the cancellation'),
    cancelled_by: z.string().describe('ID of the platform, or `calendar` if the event was deleted in the calendar.'),
    reason: z.string().describe('Reason for the cancellation.'),
    calendar_event: CalendarEventEnd,
  }),
  'proposal.accepted': z.object({
    ...ofProposal,
    meeting_id: meetingId,
    start_time: startTime,
    end_time: endTime,
    location: z.string().describe('Location of the meeting.'),
    meeting_url: meetLink,
    accepted_at: instantOf('Time the meeting was booked'),
  }),
  'proposal.declined': z.object({
    ...ofProposal,
    reason: z.string().nullable().describe('Reason that the platform gave. Null if the platform gave none.'),
    declined_at: instantOf('Time the proposal ended'),
  }),
  'proposal.expired': z.object({ ...ofProposal, expired_at: instantOf('Time the proposal ended') }),
  'proposal.withdrawn': z.object({ ...ofProposal, withdrawn_at: instantOf('Time the proposal ended') }),
  'platform.usage_warning': z.object({
    current_usage: z.int().describe('Number of meetings created this month.'),
    limit: usageLimit,
    percentage: z.number().describe('Usage as a percentage of the limit.'),
    warned_at: instantOf('Time usage reached 80% of the limit'),
    plan,
    message: usageNote,
  }),
  'platform.usage_limit_reached': z.object({
    current_usage: z.int().describe('Number of meetings created this month.'),
    limit: usageLimit,
    reached_at: instantOf('Time usage reached the limit'),
    plan,
    message: usageNote,
  }),
  'platform.security_changed': z.object({
    change: z.enum(SECURITY_CHANGES).describe('Change, as the audit log names it.'),
    changed_at: instantOf('Time of the change'),
    changed_by: z
      .enum(ACTOR_KINDS)
      .describe('Kind of caller that made the change: an API key, a dashboard session or the operator of the service.'),
    audit_log_id: z.string().describe('ID of the row in the audit log that says more.'),
  }),
};

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>;

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventData, type);
export const EVENT_TYPES = Object.keys(eventData).filter(isEventType);

/** The JSON envelope that every webhook event is sent in, around the event's `data`. */
export const eventEnvelope = z.object({
  id: z.string().startsWith('wh_').describe('ID of the event, `wh_…`. Every time the event is sent, it has this ID.'),
  event_type: z.string().describe('Event type.'),
  timestamp: instantOf('Time of the event'),
  platform_id: z.string().describe('ID of the platform that receives the event, `plat_…`.'),
  api_version: z.literal('v1').describe('API version of the payload.'),
  data: z.record(z.string(), z.unknown()).describe('Data of the event. Its fields depend on the event type.'),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;
