import * as z from 'zod';
import { Attendees, Instant, minutes, text, wholeText } from './fields.ts';

const LocalDate = z.iso.date('must be a date, YYYY-MM-DD');

const DateRange = z.object({ start_date: LocalDate, end_date: LocalDate }, 'must be {start_date, end_date}');

/** Body of `POST /v1/availability`. */
export const AvailabilityRequest = z.object({
  attendees: Attendees,
  duration_minutes: minutes(15, 120).default(30),
  date_range: DateRange.optional(),
  context: text(1_000).optional(),
});

/** Body of `POST /v1/availability/explain`. */
export const ExplainRequest = z.object({
  attendees: Attendees,
  start_time: Instant,
  duration_minutes: minutes(15, 120).default(30),
  date_range: DateRange.optional(),
});

/** Query of `GET /v1/users/{email}/availability`; both dates or none. */
export const UserAvailabilityQuery = z
  .object({
    start_date: LocalDate.optional(),
    end_date: LocalDate.optional(),
    duration_minutes: wholeText(15, 120).default(30),
  })
  .refine(({ start_date, end_date }) => end_date === undefined || start_date !== undefined, {
    path: ['start_date'],
    error: 'is required',
  })
  .refine(({ start_date, end_date }) => start_date === undefined || end_date !== undefined, {
    path: ['end_date'],
    error: 'is required',
  })
  .transform(({ start_date, end_date, duration_minutes }) => ({
    durationMinutes: duration_minutes,
    dateRange: start_date && end_date ? { startDate: start_date, endDate: end_date } : undefined,
  }));
