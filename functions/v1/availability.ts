import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { Explanation } from '../../lib/scheduling/explain-time.ts';
import * as api from '../../schema/api/availability.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';
import { toCalendarAnswer, toSlotAnswer } from '../slot-answer.ts';

export const availability = new Hono<AppEnv>();

serve(availability, api.findAvailability, async ({ ctx, platform, body }) => {
  const { attendees, context } = body;
  const { slots, window, message, suggestedTitle, calendars } = await findAvailability(ctx, platform, {
    attendees,
    durationMinutes: body.duration_minutes,
    dateRange: toDateRange(body),
    context,
  });
  return {
    slots: slots.map(toSlotAnswer),
    total_found: slots.length,
    search_window: window,
    message,
    suggested_title: suggestedTitle,
    calendars: calendars.map(toCalendarAnswer),
  };
});

serve(availability, api.explainAvailability, async ({ ctx, platform, body }) => {
  const { explanation, window, calendars } = await explainAvailability(ctx, platform, {
    attendees: body.attendees,
    start: body.start_time,
    durationMinutes: body.duration_minutes,
    dateRange: toDateRange(body),
  });
  const { offered, free, against } = explanation;
  return {
    offered,
    free,
    against,
    ...(explanation.free ? toPlaceAnswer(explanation) : {}),
    search_window: window,
    calendars: calendars.map(toCalendarAnswer),
  };
});

const toPlaceAnswer = ({ rank, candidates, slot, passedOver }: Extract<Explanation, { free: true }>) => ({
  rank,
  candidates,
  passed_over: passedOver,
  slot: toSlotAnswer(slot),
});

const toDateRange = ({ date_range: range }: { date_range?: { start_date: string; end_date: string } | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };
