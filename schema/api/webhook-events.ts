import * as z from 'zod';
import { docs } from '#docs';
import * as f from './fields.ts';
import { metadata } from './metadata.ts';
import { comfort } from './slot.ts';
import { ACTOR_KINDS, JOB_REASONS, SECURITY_CHANGES } from './states.ts';

const jobId = z.string().describe(docs('ID of the job, returned by scheduleAutomatically.'));
const processingMs = z.int().describe(docs('Duration of the job in milliseconds.'));
const plan = z.string().describe(docs('Plan of the platform.'));
const usageLimit = z.int().describe(docs('Number of meetings per month that the plan allows.'));
const usageNote = z.string().describe(docs('Sentence that says how many meetings the platform has used this month.'));
const localTime = (what: string) => z.string().describe(docs(`${what}, ISO 8601 with an offset or Z.`));
const hour = (what: string, rounded: 'down' | 'up') =>
  f.described(
    z.int().min(0).max(24),
    docs(`Hour at which the person's first work day of the week ${what}, rounded ${rounded}.`),
  );

const ofProposal = {
  proposal_id: z.string().describe(docs('ID of the proposal, `prop_…`.')),
  attendees: f.bothAttendees,
  attendee_details: f.attendeeDetails,
  title: z.string().describe(docs('Title of the meeting that was proposed.')),
  duration_minutes: z.int().describe(docs('Length of the meeting in minutes.')),
  metadata: metadata.describe(
    docs('Metadata: key-value pairs that the platform sent with the proposal. Empty if the platform sent no pairs.'),
  ),
};

export const eventData = {
  'user.calendar.connected': z.object({
    user_email: f.address,
    provider_id: f.providerId,
    connected_at: f.instantOf('Time the person connected to this platform'),
    timezone: f.zoneName,
    preferences: f.objectOf(
      docs(
        "Summary of the person's work hours. The operation listPlatformUsers returns all of the person's preferences.",
      ),
      { timezone: f.zoneName, working_hours_start: hour('starts', 'down'), working_hours_end: hour('ends', 'up') },
    ),
    calendar_access: z.literal('read_write').describe(docs("Access that the platform has to the person's calendar.")),
  }),
  'user.calendar.disconnected': z.object({
    user_email: f.address,
    provider_id: f.providerId,
    disconnected_at: f.instantOf("Time the platform's access to the calendar ended"),
    reason: f.oneOf(
      ['user_requested', 'token_expired', 'revoked'],
      docs(
        'Reason for the disconnection. `user_requested`: the person or a platform disconnected the calendar. `token_expired`: the person did not reconnect within 7 days after access failed. `revoked`: access was revoked at the calendar provider.',
      ),
    ),
  }),
  'user.calendar.refresh_failed': z.object({
    user_email: f.address,
    provider_id: f.providerId,
    failed_at: f.instantOf('Time Tandem noticed that it had lost access'),
    reason: z.string().describe(docs('Reason why Tandem could not renew its access to the calendar.')),
    action: z
      .literal('reauthorization_required')
      .describe(docs("Action that restores Tandem's access to the calendar: the person must consent again.")),
    possible_causes: f.arrayOf(z.string(), docs('Possible causes of the lost access, one sentence each.')),
    oauth_url: f.stringOf(
      docs('Link with which the person connects the calendar again. Send this link to the person.'),
    ),
    suggested_user_message: z.string().describe(docs('Message about the lost access that you can show to the person.')),
  }),
  'meeting.scheduling.completed': z.object({
    job_id: jobId,
    success: z.literal(true).describe(docs('True, because the job booked a meeting.')),
    meeting_id: f.meetingId,
    provider_event_id: z.string().describe(docs("ID of the meeting's event on the requester's calendar.")),
    meet_link: f.meetLink,
    chosen_slot: f.objectOf(docs('Time that Tandem chose for the meeting.'), {
      start_time: localTime('Start of the meeting'),
      end_time: localTime('End of the meeting'),
      score: f.numberOf(docs('Rating of the chosen time for this kind of meeting, from 0 to 1. Higher is better.')),
      comfort: comfort.optional().describe(docs('Rating of how comfortable the time is for both people, 0 to 1.')),
      match_quality: f.stringOf(
        docs('The `score` as a word: `excellent` from 0.8, `good` from 0.6, otherwise `fair`.'),
      ),
    }),
    attendees: f.bothAttendees,
    metadata,
    agent_reasoning: f.stringOf(docs('Reason why Tandem chose the time, in two or three sentences for a person.')),
    fairness: f.fairness,
    processing_time_ms: processingMs,
  }),
  'meeting.scheduling.failed': z.object({
    job_id: jobId,
    success: z.literal(false).describe(docs('False, because the job booked no meeting.')),
    error_code: f.oneOf(JOB_REASONS, docs('Code of the reason why the job booked no meeting.')),
    error_message: z.string().describe(docs('Reason why the job booked no meeting, in a sentence.')),
    booking: f.BookingOfJob.optional(),
    attendees: f.bothAttendees,
    metadata: metadata.describe(
      docs('Metadata: key-value pairs that the platform sent with the request. Empty if the platform sent no pairs.'),
    ),
    suggestions: f.arrayOf(z.string(), docs('Suggestions for what to do after the failure, one sentence each.')),
    processing_time_ms: processingMs,
  }),
  'meeting.scheduled': z.object({
    meeting_id: f.meetingId,
    attendees: f.bothAttendees,
    attendee_details: f.attendeeDetails,
    start_time: f.startTime,
    end_time: f.endTime,
    duration: z.int().describe(docs('Length of the meeting in minutes.')),
    location: f.stringOrNull(docs('Location of the meeting.')),
    meeting_url: f.meetLink,
    metadata,
    scheduled_at: f.instantOf('Time the meeting was booked'),
    scheduled_by: z.string().describe(docs('ID of the platform that booked the meeting, `plat_…`.')),
    rescheduled_from: f.stringOrAbsent(docs('ID of the old meeting that this meeting replaces.')),
  }),
  'meeting.updated': z.object({
    meeting_id: f.meetingId,
    attendees: f.bothAttendees,
    attendee_details: f.attendeeDetails,
    metadata,
    updated_at: f.instantOf('Time of the change'),
    changes: f.objectOf(docs('What changed in the meeting, who changed it, and why.'), {
      updated_by: f.stringOf(
        docs(
          'Who changed the meeting: the ID of the platform, or `calendar` if a person changed the event in their calendar.',
        ),
      ),
      reason: f.stringOrNull(
        docs(
          'Reason for the change that the platform gave, or `meeting_rescheduled` if it gave none. For a change in the calendar, the reason is `moved_in_calendar`, `changed_in_calendar`, `attendee_declined`, `attendee_removed`, `attendee_added` or `meet_link_ready`.',
        ),
      ),
      attendee: f.stringOrAbsent(
        docs(
          'Email address of the person who declined the meeting, was taken off its event or was invited to it again. Present only if `reason` says so.',
        ),
      ),
      old_start_time: f.instantOf('Previous start of the meeting'),
      new_start_time: f.instantOf('New start of the meeting'),
      old_end_time: f.instantOf('Previous end of the meeting'),
      new_end_time: f.instantOf('New end of the meeting'),
      old_title: f.stringOrAbsent(docs('Previous title. Present only if it changed in the calendar.')),
      new_title: f.stringOrAbsent(docs('New title. Present only if it changed in the calendar.')),
      old_location: f.stringOrAbsent(docs('Previous location. Present only if it changed in the calendar.')),
      new_location: f.stringOrAbsent(
        docs('New location, empty if it was removed. Present only if it changed in the calendar.'),
      ),
      old_meeting_url: f.optionalOf(
        z.string().nullable(),
        docs('Previous video link. Present only if it changed in the calendar.'),
      ),
      new_meeting_url: f.optionalOf(
        z.string().nullable(),
        docs('New video link, null if it was removed. Present only if it changed in the calendar.'),
      ),
      conflicts: f.optionalOf(
        z.array(f.Conflict),
        docs(
          "Other meetings of this platform that are not cancelled and overlap the meeting's new time. Present only if `reason` is `moved_in_calendar`.",
        ),
      ),
    }),
  }),
  'meeting.cancelled': z.object({
    meeting_id: f.meetingId,
    attendees: f.bothAttendees,
    attendee_details: f.attendeeDetails,
    metadata,
    start_time: f.instantOf('Start of the meeting'),
    cancelled_at: f.instantOf('Time the meeting was cancelled'),
    cancelled_by: f.stringOf(
      docs(
        'Who cancelled the meeting: the ID of the platform, `calendar` if a person deleted the event in their calendar, `attendee` if the second attendee cancelled on the page of the proposal, or `tandem` if Tandem gave the booking up because its outcome stayed unknown.',
      ),
    ),
    reason: z.string().describe(docs('Reason for which the meeting was cancelled.')),
    calendar_event: f.CalendarEventEnd,
  }),
  'proposal.accepted': z.object({
    ...ofProposal,
    meeting_id: f.meetingId,
    start_time: f.startTime,
    end_time: f.endTime,
    location: z.string().describe(docs('Location of the meeting.')),
    meeting_url: f.meetLink,
    accepted_at: f.instantOf('Time the meeting was booked'),
  }),
  'proposal.declined': z.object({
    ...ofProposal,
    reason: f.stringOrNull(
      docs('Reason that the platform gave for declining the proposal. Null if the platform gave no reason.'),
    ),
    declined_at: f.instantOf('Time the proposal ended'),
  }),
  'proposal.countered': z.object({
    ...ofProposal,
    reason: f.stringOrNull(
      docs(
        'Text with which the person at the page asked for other times. Null if the person chose other times without a text.',
      ),
    ),
    new_proposal_id: f.stringOf(
      docs(
        "ID of the new open proposal, which offers the times that the person asked for. The operation getProposal returns the address of the new proposal's page.",
      ),
    ),
    countered_at: f.instantOf('Time the proposal ended'),
  }),
  'proposal.expired': z.object({ ...ofProposal, expired_at: f.instantOf('Time the proposal ended') }),
  'proposal.withdrawn': z.object({ ...ofProposal, withdrawn_at: f.instantOf('Time the proposal ended') }),
  'batch.completed': z.object({
    batch_id: z.string().describe(docs('ID of the batch, returned by scheduleBatch.')),
    status: z
      .enum(['completed', 'cancelled'])
      .describe(docs('How the batch ended. `cancelled`: the platform cancelled it, and booked meetings stay.')),
    total: z.int().describe(docs('Number of meetings in the batch.')),
    counts: f.objectOf(docs('How the meetings of the batch ended. getBatch returns each of them.'), {
      booked: z.int().describe(docs('Number of meetings that were booked.')),
      unplaced: z.int().describe(docs('Number of meetings for which no time was found.')),
      failed: z.int().describe(docs('Number of meetings that could not be searched or booked.')),
      cancelled: z.int().describe(docs('Number of meetings that were not booked because the batch was cancelled.')),
    }),
    completed_at: f.instantOf('Time the batch ended'),
    processing_time_ms: z.int().describe(docs('Time from the request to the end of the batch in milliseconds.')),
  }),
  'platform.usage_warning': z.object({
    current_usage: z.int().describe(docs('Number of meetings that the platform has used this month.')),
    limit: usageLimit,
    percentage: z.number().describe(docs("Used meetings as a percentage of the plan's monthly limit.")),
    warned_at: f.instantOf('Time at which the platform had used 80% of its monthly limit of meetings'),
    plan,
    message: usageNote,
  }),
  'platform.usage_limit_reached': z.object({
    current_usage: z.int().describe(docs('Number of meetings that the platform has used this month.')),
    limit: usageLimit,
    reached_at: f.instantOf('Time at which the platform had used all meetings of its monthly limit'),
    plan,
    message: usageNote,
  }),
  'platform.security_changed': z.object({
    change: f.oneOf(SECURITY_CHANGES, docs('Kind of change. The audit log uses the same names in its field `action`.')),
    changed_at: f.instantOf('Time of the change'),
    changed_by: f.oneOf(
      ACTOR_KINDS,
      docs('Kind of caller that made the change: an API key, a dashboard session or the operator of the service.'),
    ),
    audit_log_id: z.string().describe(docs('ID of the audit log entry that has the details of the change.')),
  }),
};

export type EventType = keyof typeof eventData;
export type EventData<T extends EventType> = z.infer<(typeof eventData)[T]>;

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventData, type);
export const EVENT_TYPES = Object.keys(eventData).filter(isEventType);

/** A webhook endpoint receives these only if it subscribes to them by name. */
export const BY_NAME: readonly EventType[] = [
  'proposal.accepted',
  'proposal.declined',
  'proposal.countered',
  'proposal.expired',
  'proposal.withdrawn',
  'batch.completed',
  'platform.security_changed',
];
export const DEFAULT_EVENTS = EVENT_TYPES.filter((type) => !BY_NAME.includes(type));
export const DEFAULTS_PHRASE = `all event types except ${BY_NAME.map((type) => `\`${type}\``).join(', ')}`;

export const TEST_EVENT = 'webhook.test';

/** It subscribes to `meeting.updated`, and to `meeting.scheduled` with `rescheduled_from`. */
export const RESCHEDULED = 'meeting.rescheduled';

export const SUBSCRIBED_EVENTS = [...EVENT_TYPES, RESCHEDULED] as const;
export type SubscribedEvent = (typeof SUBSCRIBED_EVENTS)[number];

/** Decided in schema/DECISIONS.md, "Event subscriptions". */
const CONNECTED = 'user.calendar_connected';
const NAMES = [...SUBSCRIBED_EVENTS, CONNECTED] as const;

const dotted = <Name extends string>(name: Name) => (name === CONNECTED ? 'user.calendar.connected' : name);

/** An event name to subscribe to. Accepts both spellings of `user.calendar.connected` and returns the dotted one. */
export const EventName = f.choiceOf(NAMES).transform((name): SubscribedEvent => dotted(name) as SubscribedEvent);

/** A moved meeting is reported as an update, or as a new meeting that replaces it. */
export const subscriptionsOf = (name: SubscribedEvent): SubscribedEvent[] =>
  name === RESCHEDULED ? ['meeting.updated', RESCHEDULED] : [name];

/** An event name to filter the delivery log by: any name a platform can subscribe to, or the test event. */
export const AnyEventName = f.choiceOf([...NAMES, TEST_EVENT]).transform((name) => dotted(name));

/** `meeting.rescheduled` becomes `meeting.updated`, the type of its sample. */
export const SampleName = AnyEventName.transform((name) => (name === RESCHEDULED ? 'meeting.updated' : name));

export const eventEnvelope = z.object({
  id: z
    .string()
    .startsWith('wh_')
    .describe(docs('ID of the event, `wh_…`. The ID stays the same every time Tandem sends the event.')),
  event_type: z.string().describe(docs('Type of the webhook event.')),
  timestamp: f.instantOf('Time of the event'),
  platform_id: z.string().describe(docs('ID of the platform that receives the event, `plat_…`.')),
  api_version: z.literal('v1').describe(docs('Version of the API that defines the fields of the event.')),
  data: z.record(z.string(), z.unknown()).describe(docs('Data of the event. Its fields depend on the event type.')),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;
