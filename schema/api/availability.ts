import { z } from 'zod';
import { Attendees, minutes, text } from './fields.ts';

const LocalDate = z.iso.date('must be a date, YYYY-MM-DD');

/** Body of `POST /v1/availability`. */
export const AvailabilityRequest = z.object({
  attendees: Attendees,
  duration_minutes: minutes(15, 120).default(30),
  date_range: z.object({ start_date: LocalDate, end_date: LocalDate }, 'must be {start_date, end_date}').optional(),
  context: text(1_000).optional(),
});
