import { type AttendeeDetails, detailsOf, type Fairness } from '../api/fields.ts';
import type { Metadata } from '../api/metadata.ts';
import type { SecurityAction } from '../api/states.ts';
import type { EventData, EventEnvelope, EventType } from '../api/webhook-events.ts';
import type { Conflict } from '../meetings/list.ts';
import { type ChosenSlot, isoUtc, toConflictAnswer, wholeMinutes } from './meeting-answers.ts';

// Facts of an event are not yet in the names of the API, and their times are in epoch milliseconds.
type User = { email: string; providerId: string };
type Ended = { acceptedAt: number; endedAt: number };
/** `details` says who of both attendees is connected to the platform. Absent if both are. */
type About = { attendees: string[]; details?: AttendeeDetails | undefined; metadata: Metadata };
type EndedJob = Ended & Omit<About, 'details'> & { jobId: string };
type Changed = About & { meetingId: string; at: number };
type EndedProposal = About & { proposalId: string; title: string; durationMinutes: number; at: number };
type Span = { start: number; end: number };
type Booked = Span & { location: string; meetLink: string | null };
type Usage = { used: number; limit: number; at: number; plan: string; message: string };
/** Title, place or link that a person changed in the calendar, as it was and as it is. */
type Difference = { name: keyof typeof CHANGED; before: string | null; now: string | null };

const iso = (ms: number): string => new Date(ms).toISOString();

const toUser = ({ email, providerId }: User) => ({ user_email: email, provider_id: providerId });

const duration = ({ acceptedAt, endedAt }: Ended) => Math.max(0, Math.round(endedAt - acceptedAt));

const toAttendees = ({ attendees, details }: About) => ({
  attendees,
  ...(details === undefined ? {} : detailsOf(details)),
});

const toProposal = (event: EndedProposal) => ({
  proposal_id: event.proposalId,
  ...toAttendees(event),
  title: event.title,
  duration_minutes: event.durationMinutes,
  metadata: event.metadata,
});

const CHANGED = { title: 'title', location: 'location', meetLink: 'meeting_url' };

const RENDERERS = {
  /** `connectedAt` is in the form of answers. Other platforms' times would tell when the person connected there. */
  'user.calendar.connected': (event: User & { connectedAt: string; timeZone: string; workingHours: Span }) => ({
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
  'user.calendar.disconnected': (
    event: User & { at: number; reason: EventData<'user.calendar.disconnected'>['reason'] },
  ) => ({ ...toUser(event), disconnected_at: iso(event.at), reason: event.reason }),
  'user.calendar.refresh_failed': (
    event: User & {
      at: number;
      reason: string;
      possibleCauses: string[];
      oauthUrl: string;
      suggestedUserMessage: string;
    },
  ) => ({
    ...toUser(event),
    failed_at: iso(event.at),
    reason: event.reason,
    action: 'reauthorization_required',
    possible_causes: event.possibleCauses,
    oauth_url: event.oauthUrl,
    suggested_user_message: event.suggestedUserMessage,
  }),
  'meeting.scheduling.completed': (
    event: EndedJob & {
      meetingId: string;
      providerEventId: string;
      meetLink: string | null;
      chosenSlot: ChosenSlot;
      reasoning: string;
      fairness?: Fairness;
    },
  ) => ({
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
  'meeting.scheduling.failed': (
    event: EndedJob &
      Pick<EventData<'meeting.scheduling.failed'>, 'suggestions' | 'booking'> & {
        code: EventData<'meeting.scheduling.failed'>['error_code'];
        message: string;
      },
  ) => ({
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
  'meeting.scheduled': (event: Changed & Booked & { platformId: string; rescheduledFrom?: string | undefined }) => ({
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
  'meeting.updated': (
    event: Changed &
      Span & {
        by: string;
        reason: string;
        attendee?: string | undefined;
        old: Span;
        changed?: Difference[] | undefined;
        conflicts?: Conflict[] | undefined;
      },
  ) => ({
    meeting_id: event.meetingId,
    ...toAttendees(event),
    metadata: event.metadata,
    updated_at: isoUtc(event.at),
    changes: {
      updated_by: event.by,
      reason: event.reason,
      ...(event.attendee === undefined ? {} : { attendee: event.attendee }),
      old_start_time: isoUtc(event.old.start),
      new_start_time: isoUtc(event.start),
      old_end_time: isoUtc(event.old.end),
      new_end_time: isoUtc(event.end),
      ...Object.fromEntries(
        (event.changed ?? []).flatMap(({ name, before, now }) => [
          [`old_${CHANGED[name]}`, before],
          [`new_${CHANGED[name]}`, now],
        ]),
      ),
      ...(event.conflicts === undefined ? {} : { conflicts: event.conflicts.map(toConflictAnswer) }),
    },
  }),
  'meeting.cancelled': (
    event: Changed & {
      start: number;
      by: string;
      reason: string;
      calendarEvent: EventData<'meeting.cancelled'>['calendar_event'];
    },
  ) => ({
    meeting_id: event.meetingId,
    ...toAttendees(event),
    metadata: event.metadata,
    start_time: isoUtc(event.start),
    cancelled_at: isoUtc(event.at),
    cancelled_by: event.by,
    reason: event.reason,
    calendar_event: event.calendarEvent,
  }),
  'proposal.accepted': (event: EndedProposal & Booked & { meetingId: string }) => ({
    ...toProposal(event),
    meeting_id: event.meetingId,
    start_time: isoUtc(event.start),
    end_time: isoUtc(event.end),
    location: event.location,
    meeting_url: event.meetLink,
    accepted_at: isoUtc(event.at),
  }),
  'proposal.declined': (event: EndedProposal & { reason: string | null }) => ({
    ...toProposal(event),
    reason: event.reason,
    declined_at: isoUtc(event.at),
  }),
  'proposal.countered': (event: EndedProposal & { reason: string | null; newProposalId: string }) => ({
    ...toProposal(event),
    reason: event.reason,
    new_proposal_id: event.newProposalId,
    countered_at: isoUtc(event.at),
  }),
  'proposal.expired': (event: EndedProposal) => ({ ...toProposal(event), expired_at: isoUtc(event.at) }),
  'proposal.withdrawn': (event: EndedProposal) => ({ ...toProposal(event), withdrawn_at: isoUtc(event.at) }),
  'batch.completed': (event: Ended & Pick<EventData<'batch.completed'>, 'status' | 'counts'> & { batchId: string }) => {
    const { booked, unplaced, failed, cancelled } = event.counts;
    return {
      ...{ batch_id: event.batchId, status: event.status, total: booked + unplaced + failed + cancelled },
      counts: { booked, unplaced, failed, cancelled },
      completed_at: iso(event.endedAt),
      processing_time_ms: duration(event),
    };
  },
  'platform.usage_warning': ({ used, limit, at, plan, message }: Usage) => ({
    current_usage: used,
    limit,
    percentage: Math.round((used / limit) * 100),
    warned_at: iso(at),
    plan,
    message,
  }),
  'platform.usage_limit_reached': ({ used, limit, at, plan, message }: Usage) => ({
    current_usage: used,
    limit,
    reached_at: iso(at),
    plan,
    message,
  }),
  'platform.security_changed': (event: {
    change: SecurityAction;
    at: number;
    by: EventData<'platform.security_changed'>['changed_by'];
    auditId: string;
  }) => ({ change: event.change, changed_at: iso(event.at), changed_by: event.by, audit_log_id: event.auditId }),
} satisfies { [T in EventType]: (event: never) => EventData<T> };

export type WebhookEvents = { [T in EventType]: Parameters<(typeof RENDERERS)[T]>[0] };

const rendererOf: { [T in EventType]: (event: WebhookEvents[T]) => EventData<T> } = RENDERERS;

export const toEventData = <T extends EventType>(type: T, event: WebhookEvents[T]): EventData<T> =>
  rendererOf[type](event);

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
