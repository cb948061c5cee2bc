import * as z from 'zod';
import { SHOWN_STATUSES } from '../../meetings/read-queries.ts';

const instant = z.string().describe('ISO 8601 in UTC');

/** A meeting whole; what does not apply is left out. */
export const Meeting = z.object({
  meeting_id: z.string(),
  status: z.enum(SHOWN_STATUSES),
  title: z.string(),
  description: z.string().nullable(),
  start_time: instant,
  end_time: instant,
  duration_minutes: z.int(),
  attendees: z.array(z.string()),
  rsvps: z.array(
    z.object({
      email: z.string(),
      response_status: z.enum(['needsAction', 'accepted', 'declined', 'tentative']),
      responded_at: instant.nullable(),
    }),
  ),
  location: z.string(),
  meet_link: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  cancelled_at: instant.optional(),
  rescheduled_from: z.string().optional().describe('The meeting this one replaced'),
  rescheduled_to: z.string().optional().describe('The meeting that replaced this one'),
  job_id: z.string().optional(),
});

export const UserMeetings = z.object({ email: z.string(), meetings: z.array(Meeting), total: z.int() });

export const UpdatedMeeting = z.object({
  success: z.literal(true),
  meeting_id: z.string(),
  start_time: instant,
  end_time: instant,
  attendees: z.array(z.string()),
  status: z.literal('updated'),
});

export const RescheduledMeeting = z.object({
  success: z.literal(true),
  new_meeting_id: z.string(),
  new_meeting_time: instant,
  reasoning: z.string(),
  learned_from: z.string(),
});

export const CancelledMeeting = z.object({
  success: z.literal(true),
  meeting_id: z.string(),
  status: z.literal('cancelled'),
});
