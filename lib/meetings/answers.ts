import type { CancelledMeeting, Meeting, RescheduledMeeting, UpdatedMeeting } from '../../schema/api/meetings.ts';
import type { Metadata } from '../../schema/api/metadata.ts';
import type { BookedMeeting } from '../../schema/api/schedule.ts';
import type { Conflict, FoundMeeting } from '../../schema/meetings/read-queries.ts';
import type { RescheduleIntent } from './intents.ts';

/** An instant as ISO 8601 in UTC without milliseconds. */
export const isoUtc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** A meeting in the words of the wire; what does not apply is left out. */
export const toMeetingAnswer = (meeting: FoundMeeting): Meeting => ({
  meeting_id: meeting.id,
  status: meeting.status,
  title: meeting.title,
  description: meeting.description,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  duration_minutes: Math.round((meeting.end - meeting.start) / 60_000),
  attendees: [meeting.requester.email, meeting.other.email],
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

interface Scheduled {
  id: string;
  platformId: string;
  title: string;
  attendees: [string, string];
  location: string;
  start: number;
  end: number;
  meetLink: string | null;
  metadata: Metadata;
  conflicts: Conflict[];
}

/** The answer of `POST /v1/schedule`; kept under the idempotency key, so that a replay has the same bytes. */
export const toScheduledAnswer = (meeting: Scheduled): BookedMeeting => ({
  success: true,
  meeting_id: meeting.id,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  title: meeting.title,
  attendees: meeting.attendees,
  location: meeting.location,
  meet_link: meeting.meetLink,
  metadata: meeting.metadata,
  conflicts: meeting.conflicts.map(toConflictAnswer),
});

export const toConflictAnswer = ({ email, meetingId, start, end }: Conflict) => ({
  email,
  meeting_id: meetingId,
  start_time: isoUtc(start),
  end_time: isoUtc(end),
});

interface Updated {
  id: string;
  start: number;
  end: number;
  attendees: [string, string];
  metadata: Metadata;
}

export const toUpdatedAnswer = ({ id, start, end, attendees, metadata }: Updated): UpdatedMeeting => ({
  success: true,
  meeting_id: id,
  start_time: isoUtc(start),
  end_time: isoUtc(end),
  attendees,
  metadata,
  status: 'updated',
});

export const toCancelledAnswer = (id: string, calendarEvent: CancelledMeeting['calendar_event']): CancelledMeeting => ({
  success: true,
  meeting_id: id,
  status: 'cancelled',
  calendar_event: calendarEvent,
});

export const toRescheduledAnswer = ({
  newId,
  start,
  reasoning,
  fairness,
  learnedFrom,
}: RescheduleIntent): RescheduledMeeting => ({
  success: true,
  new_meeting_id: newId,
  new_meeting_time: isoUtc(start),
  reasoning,
  fairness,
  learned_from: learnedFrom,
});
