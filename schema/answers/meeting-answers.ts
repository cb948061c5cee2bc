import { type AttendeeDetails, detailsOf } from '../api/attendee-details.ts';
import type { Fairness } from '../api/fields.ts';
import type { Meeting } from '../api/meetings.ts';
import type { Conflict } from '../meetings/conflict.ts';
import type { FoundMeeting } from '../meetings/list.ts';
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

/** Minutes outside 08:00-18:00 in the pair's other meetings, by email address. Undefined without such a record. */
export const toFairness = (carried: Record<string, number> | undefined): Fairness =>
  carried && { carried_minutes: carried };
