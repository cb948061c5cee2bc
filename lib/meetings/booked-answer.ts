import type { BookedMeeting } from '../../schema/api/schedule.ts';
import { isoUtc } from './times.ts';

interface Booked {
  id: string;
  title: string;
  attendees: string[];
  location: string;
  start: number;
  end: number;
  meetLink: string | null;
}

/** The answer of `POST /v1/schedule`; stored under the idempotency key, so that a replay has the same bytes. */
export const bookedAnswer = (meeting: Booked): BookedMeeting => ({
  success: true,
  meeting_id: meeting.id,
  start_time: isoUtc(meeting.start),
  end_time: isoUtc(meeting.end),
  title: meeting.title,
  attendees: meeting.attendees,
  location: meeting.location,
  meet_link: meeting.meetLink,
});
