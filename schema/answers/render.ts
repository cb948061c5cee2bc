import { detailsOf } from '../api/fields.ts';
import type { EventData, EventEnvelope, EventType } from '../api/webhook-events.ts';
import type { Connected, EndedJob, WebhookEvents } from './facts.ts';
import { isoUtc, toConflictAnswer, wholeMinutes } from './meeting-answers.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const toUser = ({ email, providerId }: Omit<Connected, 'at'>) => ({ user_email: email, provider_id: providerId });

const duration = ({ acceptedAt, endedAt }: Pick<EndedJob, 'acceptedAt' | 'endedAt'>) =>
  Math.max(0, Math.round(endedAt - acceptedAt));

const toAttendees = ({ attendees, details }: Pick<WebhookEvents['meeting.scheduled'], 'attendees' | 'details'>) => ({
  attendees,
  ...(details === undefined ? {} : detailsOf(details)),
});

const toProposal = (event: WebhookEvents['proposal.withdrawn']) => ({
  proposal_id: event.proposalId,
  ...toAttendees(event),
  title: event.title,
  duration_minutes: event.durationMinutes,
  metadata: event.metadata,
});

const CHANGED = { title: 'title', location: 'location', meetLink: 'meeting_url' };

const RENDERERS: { [T in EventType]: (event: WebhookEvents[T]) => EventData<T> } = {
  'user.calendar.connected': (event) => ({
    ...toUser(event),
    connected_at: event.connectedAt,
    timezone: event.timeZone,
    preferences: {
      timezone: event.timeZone,
      working_hours_start: event.workingHours.start,
      working_hours_end: event.workingHours.end,
    },
    calendar_access: 'read_write',
  }),
  'user.calendar.disconnected': (event) => ({ ...toUser(event), disconnected_at: iso(event.at), reason: event.reason }),
  'user.calendar.refresh_failed': (event) => ({
    ...toUser(event),
    failed_at: iso(event.at),
    reason: event.reason,
    action: 'reauthorization_required',
    possible_causes: event.possibleCauses,
    oauth_url: event.oauthUrl,
    suggested_user_message: event.suggestedUserMessage,
  }),
  'meeting.scheduling.completed': (event) => ({
    job_id: event.jobId,
    success: true,
    meeting_id: event.meetingId,
    provider_event_id: event.providerEventId,
    meet_link: event.meetLink,
    chosen_slot: event.chosenSlot,
    attendees: event.attendees,
    metadata: event.metadata,
    agent_reasoning: event.reasoning,
    ...(event.fairness === undefined ? {} : { fairness: event.fairness }),
    processing_time_ms: duration(event),
  }),
  'meeting.scheduling.failed': (event) => ({
    job_id: event.jobId,
    success: false,
    error_code: event.code,
    error_message: event.message,
    attendees: event.attendees,
    metadata: event.metadata,
    suggestions: event.suggestions,
    processing_time_ms: duration(event),
    ...(event.booking === undefined ? {} : { booking: event.booking }),
  }),
  'meeting.scheduled': (event) => ({
    meeting_id: event.meetingId,
    ...toAttendees(event),
    start_time: isoUtc(event.start),
    end_time: isoUtc(event.end),
    duration: wholeMinutes(event),
    location: event.location,
    meeting_url: event.meetLink,
    metadata: event.metadata,
    scheduled_at: isoUtc(event.at),
    scheduled_by: event.platformId,
    ...(event.rescheduledFrom === undefined ? {} : { rescheduled_from: event.rescheduledFrom }),
  }),
  'meeting.updated': ({ attendee, old, changed = [], conflicts, ...event }) => ({
    meeting_id: event.meetingId,
    ...toAttendees(event),
    metadata: event.metadata,
    updated_at: isoUtc(event.at),
    changes: {
      updated_by: event.by,
      reason: event.reason,
      ...(attendee === undefined ? {} : { attendee }),
      old_start_time: isoUtc(old.start),
      new_start_time: isoUtc(event.start),
      old_end_time: isoUtc(old.end),
      new_end_time: isoUtc(event.end),
      ...Object.fromEntries(
        changed.flatMap(({ name, before, now }) => [
          [`old_${CHANGED[name]}`, before],
          [`new_${CHANGED[name]}`, now],
        ]),
      ),
      ...(conflicts === undefined ? {} : { conflicts: conflicts.map(toConflictAnswer) }),
    },
  }),
  'meeting.cancelled': (event) => ({
    meeting_id: event.meetingId,
    ...toAttendees(event),
    metadata: event.metadata,
    start_time: isoUtc(event.start),
    cancelled_at: isoUtc(event.at),
    cancelled_by: event.by,
    reason: event.reason,
    calendar_event: event.calendarEvent,
  }),
  'proposal.accepted': (event) => ({
    ...toProposal(event),
    meeting_id: event.meetingId,
    start_time: isoUtc(event.start),
    end_time: isoUtc(event.end),
    location: event.location,
    meeting_url: event.meetLink,
    accepted_at: isoUtc(event.at),
  }),
  'proposal.declined': (event) => ({ ...toProposal(event), reason: event.reason, declined_at: isoUtc(event.at) }),
  'proposal.countered': (event) => ({
    ...toProposal(event),
    reason: event.reason,
    new_proposal_id: event.newProposalId,
    countered_at: isoUtc(event.at),
  }),
  'proposal.expired': (event) => ({ ...toProposal(event), expired_at: isoUtc(event.at) }),
  'proposal.withdrawn': (event) => ({ ...toProposal(event), withdrawn_at: isoUtc(event.at) }),
  'batch.completed': ({ batchId, status, counts, ...event }) => {
    const { booked, unplaced, failed, cancelled } = counts;
    return {
      ...{ batch_id: batchId, status, total: booked + unplaced + failed + cancelled },
      counts: { booked, unplaced, failed, cancelled },
      completed_at: iso(event.endedAt),
      processing_time_ms: duration(event),
    };
  },
  'platform.usage_warning': ({ used, limit, at, plan, message }) => ({
    current_usage: used,
    limit,
    percentage: Math.round((used / limit) * 100),
    warned_at: iso(at),
    plan,
    message,
  }),
  'platform.usage_limit_reached': ({ used, limit, at, plan, message }) => ({
    current_usage: used,
    limit,
    reached_at: iso(at),
    plan,
    message,
  }),
  'platform.security_changed': ({ change, at, by, auditId }) => ({
    change,
    changed_at: iso(at),
    changed_by: by,
    audit_log_id: auditId,
  }),
};

/** Converts the data of an event to the `data` field of its webhook, with the field names of the API. */
export const toEventData = <T extends EventType>(type: T, event: WebhookEvents[T]): EventData<T> =>
  RENDERERS[type](event);

export const toEnvelope = (event: {
  id: string;
  type: string;
  at: number;
  platformId: string;
  data: Record<string, unknown>;
}): EventEnvelope => ({
  id: event.id,
  event_type: event.type,
  timestamp: iso(event.at),
  platform_id: event.platformId,
  api_version: 'v1',
  data: event.data,
});
