import * as z from 'zod';
import { SHOWN_STATUSES } from '../meetings/read-queries.ts';
import { Attendees, Email, Instant, text } from './fields.ts';

/** Query of `GET /v1/users/{email}/meetings`. */
export const UserMeetingsQuery = z
  .object({
    from: Instant.optional(),
    to: Instant.optional(),
    status: z.enum(SHOWN_STATUSES, `must be one of ${SHOWN_STATUSES.join(', ')}`).optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    error: 'must be after from',
  });

const MINUTE = 60_000;

/** Body of `PUT /v1/meetings/{meeting_id}`. */
export const UpdateMeetingRequest = z
  .object({
    start_time: Instant,
    end_time: Instant,
    attendees: Attendees.optional(),
    reason: text(1_000)
      .transform((reason) => reason.trim() || undefined)
      .optional(),
  })
  .refine(({ start_time: start, end_time: end }) => end - start >= 5 * MINUTE && end - start <= 720 * MINUTE, {
    path: ['end_time'],
    error: 'must be 5 to 720 minutes after start_time',
  });

/** Body of `POST /v1/meetings/{meeting_id}/reschedule`. */
export const RescheduleRequest = z.object({
  meeting_id: z.string('must be a string'),
  requested_by: Email,
  reason: text(1_000).trim().min(1, 'must not be empty'),
  preferred_time_range: z
    .object({ start: Instant, end: Instant }, 'must be {start, end}')
    .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be after start' })
    .optional(),
});
