import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { Explanation } from '../../lib/scheduling/explain-time.ts';
import { AvailabilityRequest, ExplainRequest } from '../../schema/api/availability.ts';
import { readBody } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { calendarBody, slotBody } from '../slot-body.ts';

export const availability = new Hono<AppEnv>();

availability.post('/v1/availability', async (c) => {
  const body = await readBody(c, AvailabilityRequest);
  const found = await findAvailability(c.var.ctx, platformOf(c), {
    attendees: body.attendees,
    durationMinutes: body.duration_minutes,
    dateRange: dateRangeOf(body),
    context: body.context,
  });
  return c.json({
    slots: found.slots.map(slotBody),
    total_found: found.slots.length,
    search_window: found.window,
    ...(found.message === undefined ? {} : { message: found.message }),
    ...(found.suggestedTitle === undefined ? {} : { suggested_title: found.suggestedTitle }),
    calendars: found.calendars.map(calendarBody),
  });
});

availability.post('/v1/availability/explain', async (c) => {
  const body = await readBody(c, ExplainRequest);
  const { explanation, window, calendars } = await explainAvailability(c.var.ctx, platformOf(c), {
    attendees: body.attendees,
    start: body.start_time,
    durationMinutes: body.duration_minutes,
    dateRange: dateRangeOf(body),
  });
  const { offered, free, against } = explanation;
  return c.json({
    offered,
    free,
    against,
    ...(explanation.free ? placeBody(explanation) : {}),
    search_window: window,
    calendars: calendars.map(calendarBody),
  });
});

const placeBody = ({ rank, candidates, slot, passedOver }: Extract<Explanation, { free: true }>) => ({
  rank,
  candidates,
  ...(passedOver === undefined ? {} : { passed_over: passedOver }),
  slot: slotBody(slot),
});

const dateRangeOf = ({ date_range: range }: { date_range?: { start_date: string; end_date: string } | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };
