import { Hono } from 'hono';
import { findAvailability } from '../../lib/availability/find-availability.ts';
import { AvailabilityRequest } from '../../schema/api/availability.ts';
import { readBody } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';

export const availability = new Hono<AppEnv>();

availability.post('/v1/availability', async (c) => {
  const body = await readBody(c, AvailabilityRequest);
  const found = await findAvailability(c.var.ctx, platformOf(c), {
    attendees: body.attendees,
    durationMinutes: body.duration_minutes,
    dateRange: body.date_range && { startDate: body.date_range.start_date, endDate: body.date_range.end_date },
    context: body.context,
  });
  return c.json({
    slots: found.slots.map((slot) => ({
      start_time: slot.startTime,
      end_time: slot.endTime,
      score: slot.score,
      timezone: slot.timezone,
      reason: slot.reason,
      factors: slot.factors,
      attendees: slot.attendees.map(({ email, startTime, timezone }) => ({ email, start_time: startTime, timezone })),
    })),
    total_found: found.slots.length,
    search_window: found.window,
    ...(found.message === undefined ? {} : { message: found.message }),
    ...(found.suggestedTitle === undefined ? {} : { suggested_title: found.suggestedTitle }),
    calendars: found.calendars.map(({ email, readAt, source }) => ({ email, read_at: readAt, source })),
  });
});
