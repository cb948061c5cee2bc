import { type AttendeeDetails, detailsOf, type Fairness } from '../api/fields.ts';
import type { Meeting } from '../api/meetings.ts';
import type { Proposal } from '../api/proposals.ts';
import type { EventData } from '../api/webhook-events.ts';
import type { Conflict, FoundMeeting } from '../meetings/list.ts';
import type { FoundProposal } from '../meetings/proposals-list.ts';
import { MINUTE } from '../units.ts';

/** Formats an instant as ISO 8601 in UTC without milliseconds. */
export const isoUtc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

export const wholeMinutes = ({ start, end }: { start: number; end: number }) => Math.round((end - start) / MINUTE);

const detailsOfMeeting = ({ requester, other, guestTimeZone }: FoundMeeting): AttendeeDetails => [
  requester,
  { ...other, timeZone: other.isConnected ? null : guestTimeZone },
];

export const toMeetingAnswer = (meeting: FoundMeeting): Meeting => ({
  meeting_id: meeting.id,
  status: meeting.status,
  title: meeting.title,
  description: meeting.description,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  duration_minutes: wholeMinutes(meeting),
  attendees: [meeting.requester.email, meeting.other.email],
  ...detailsOf(detailsOfMeeting(meeting)),
  rsvps: [meeting.requester, meeting.other].map(({ email, responseStatus, respondedAt }) => ({
    email,
    response_status: responseStatus,
    responded_at: respondedAt === null ? null : isoUtc(respondedAt),
  })),
  location: meeting.location,
  meet_link: meeting.meetLink,
  metadata: meeting.metadata,
  created_at: isoUtc(meeting.createdAt),
  updated_at: isoUtc(meeting.updatedAt),
  ...(meeting.cancelledAt === null ? {} : { cancelled_at: isoUtc(meeting.cancelledAt) }),
  ...(meeting.rescheduledFrom === null ? {} : { rescheduled_from: meeting.rescheduledFrom }),
  ...(meeting.rescheduledTo === null ? {} : { rescheduled_to: meeting.rescheduledTo }),
  ...(meeting.jobId === null ? {} : { job_id: meeting.jobId }),
});

export const toConflictAnswer = ({ email, meetingId, start, end }: Conflict) => ({
  email,
  meeting_id: meetingId,
  start_time: isoUtc(start),
  end_time: isoUtc(end),
});

export const toFairness = (carried: Record<string, number> | undefined): Fairness =>
  carried && { carried_minutes: carried };

export type Shown = Omit<
  FoundProposal,
  | 'requesterId'
  | 'isOtherGone'
  | 'hasOtherLeft'
  | 'leaseUntil'
  | 'token'
  | 'movedStart'
  | 'isMeetingAsBefore'
  | 'reading'
  | 'expiresInHours'
  | 'counters'
>;

type People = Pick<
  FoundProposal,
  'requesterEmail' | 'otherEmail' | 'isRequesterConnected' | 'isOtherConnected' | 'guestTimeZone'
>;

/** Says who is connected, and a guest's time zone. The guest's name is in the API's answer alone. */
export const detailsOfProposal = (proposal: People): AttendeeDetails => [
  { email: proposal.requesterEmail, isConnected: proposal.isRequesterConnected },
  { email: proposal.otherEmail, isConnected: proposal.isOtherConnected, timeZone: proposal.guestTimeZone },
];

const withName = ([requester, other]: AttendeeDetails, name: string | null): AttendeeDetails => [
  requester,
  { ...other, name },
];

/** `url` is the page's. The meeting is in it only once accepted, because a booking in progress may still fail. */
export const toProposalAnswer = (proposal: Shown, url: string | null): Proposal => ({
  proposal_id: proposal.id,
  status: proposal.status,
  attendees: [proposal.requesterEmail, proposal.otherEmail],
  ...detailsOf(withName(detailsOfProposal(proposal), proposal.guestName)),
  requester_name: proposal.requesterName,
  duration_minutes: proposal.durationMinutes,
  title: proposal.title,
  description: proposal.description,
  location: proposal.location,
  times: proposal.times.map(({ id, start, end, reason, status }) => ({
    id,
    start_time: isoUtc(start),
    end_time: isoUtc(end),
    reason,
    status,
  })),
  url,
  expires_at: isoUtc(proposal.expiresAt),
  on_expiry: proposal.onExpiry,
  decline_reason: proposal.reason,
  counter_of: proposal.counterOf,
  meeting_id: proposal.status === 'accepted' ? proposal.meetingId : null,
  moves_meeting_id: proposal.movesMeetingId,
  metadata: proposal.metadata,
  created_at: isoUtc(proposal.createdAt),
  ended_at: proposal.endedAt === null ? null : isoUtc(proposal.endedAt),
});

/** The job's event and its result report it in this form, which the database stores. */
export type ChosenSlot = EventData<'meeting.scheduling.completed'>['chosen_slot'];

export const toChosenSlot = (slot: {
  startTime: string;
  endTime: string;
  score: number;
  comfort: number;
  matchQuality: string;
}): ChosenSlot => ({
  start_time: slot.startTime,
  end_time: slot.endTime,
  score: slot.score,
  comfort: slot.comfort,
  match_quality: slot.matchQuality,
});

/** If the calendar has the meeting at another time, its start and end are those of the calendar. */
export function slotAt(chosen: ChosenSlot, { start, end }: { start: number; end: number }): ChosenSlot {
  if (Date.parse(chosen.start_time) === start && Date.parse(chosen.end_time) === end) return chosen;
  return { ...chosen, start_time: isoUtc(start), end_time: isoUtc(end) };
}
