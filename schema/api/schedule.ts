import { z } from 'zod';
import { Attendees, Instant, minutes, text } from './fields.ts';

/** Body of `POST /v1/schedule`. */
export const ScheduleRequest = z.object({
  attendees: Attendees,
  start_time: Instant,
  duration_minutes: minutes(5, 720),
  title: text(200).trim().min(1, 'must not be empty'),
  description: text(8_000).optional(),
  location: text(500).trim().min(1, 'must not be empty').default('Google Meet'),
  require_free: z.boolean('must be true or false').default(false),
});
