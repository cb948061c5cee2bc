import type { AttendeeDetails, Fairness } from '../api/fields.ts';
import type { CancelledMeeting } from '../api/meetings.ts';
import type { Metadata } from '../api/metadata.ts';
import type { SecurityAction } from '../api/states.ts';
import type { EventData } from '../api/webhook-events.ts';
import type { Conflict } from '../meetings/list.ts';

export type Connected = { email: string; providerId: string; at: number };

export interface EndedJob {
  jobId: string;
  attendees: string[];
  metadata: Metadata;
  acceptedAt: number;
  endedAt: number;
}

interface Changed {
  meetingId: string;
  attendees: string[];
  /** Both attendees of the meeting, with who of them is connected to the platform. Absent if both are. */
  details?: AttendeeDetails | undefined;
  metadata: Metadata;
  at: number;
}

interface EndedProposal {
  proposalId: string;
  attendees: string[];
  details?: AttendeeDetails | undefined;
  title: string;
  durationMinutes: number;
  metadata: Metadata;
  at: number;
}

type Usage = { used: number; limit: number; at: number; plan: string; message: string };

/** The job's event and its result report it in this form, which the database stores. */
export type ChosenSlot = EventData<'meeting.scheduling.completed'>['chosen_slot'];

/** Not yet in the names of the API. Times are in epoch milliseconds. */
export interface WebhookEvents {
  'user.calendar.connected': Omit<Connected, 'at'> & {
    /** Instant in the form of answers. Other platforms' times would tell when the person connected there. */
    connectedAt: string;
    timeZone: string;
    workingHours: { start: number; end: number };
  };
  'user.calendar.disconnected': Connected & { reason: EventData<'user.calendar.disconnected'>['reason'] };
  'user.calendar.refresh_failed': Connected & {
    reason: string;
    possibleCauses: string[];
    oauthUrl: string;
    suggestedUserMessage: string;
  };
  'meeting.scheduling.completed': EndedJob & {
    meetingId: string;
    providerEventId: string;
    meetLink: string | null;
    chosenSlot: ChosenSlot;
    reasoning: string;
    fairness?: Fairness;
  };
  'meeting.scheduling.failed': EndedJob & {
    code: EventData<'meeting.scheduling.failed'>['error_code'];
    message: string;
    suggestions: string[];
    booking?: EventData<'meeting.scheduling.failed'>['booking'];
  };
  'meeting.scheduled': Changed & {
    start: number;
    end: number;
    location: string;
    meetLink: string | null;
    platformId: string;
    rescheduledFrom?: string | undefined;
  };
  'meeting.updated': Changed & {
    by: string;
    reason: string;
    attendee?: string | undefined;
    old: { start: number; end: number };
    start: number;
    end: number;
    /** Title, place and link that a person changed in the calendar, each as it was and as it is. */
    changed?: { name: 'title' | 'location' | 'meetLink'; before: string | null; now: string | null }[] | undefined;
    conflicts?: Conflict[] | undefined;
  };
  'meeting.cancelled': Changed & {
    start: number;
    by: string;
    reason: string;
    calendarEvent: CancelledMeeting['calendar_event'];
  };
  'proposal.accepted': EndedProposal & {
    meetingId: string;
    start: number;
    end: number;
    location: string;
    meetLink: string | null;
  };
  'proposal.declined': EndedProposal & { reason: string | null };
  'proposal.countered': EndedProposal & { reason: string | null; newProposalId: string };
  'proposal.expired': EndedProposal;
  'proposal.withdrawn': EndedProposal;
  'batch.completed': {
    batchId: string;
    status: 'completed' | 'cancelled';
    counts: Record<'booked' | 'unplaced' | 'failed' | 'cancelled', number>;
    acceptedAt: number;
    endedAt: number;
  };
  'platform.usage_warning': Usage;
  'platform.usage_limit_reached': Usage;
  'platform.security_changed': {
    change: SecurityAction;
    at: number;
    by: EventData<'platform.security_changed'>['changed_by'];
    auditId: string;
  };
}
