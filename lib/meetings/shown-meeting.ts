import type { Meeting } from '../../schema/api/meetings.ts';
import type { FoundMeeting } from '../../schema/meetings/read-queries.ts';
import { isoUtc } from './times.ts';

/** A meeting in the words of the wire; what does not apply is left out. */
export const shownMeeting = (meeting: FoundMeeting): Meeting => ({
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
  created_at: isoUtc(meeting.createdAt),
  updated_at: isoUtc(meeting.updatedAt),
  ...(meeting.cancelledAt === null ? {} : { cancelled_at: isoUtc(meeting.cancelledAt) }),
  ...(meeting.rescheduledFrom === null ? {} : { rescheduled_from: meeting.rescheduledFrom }),
  ...(meeting.rescheduledTo === null ? {} : { rescheduled_to: meeting.rescheduledTo }),
  ...(meeting.jobId === null ? {} : { job_id: meeting.jobId }),
});
