import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { Explanation } from '../../lib/scheduling/explain-time.ts';
import type { Relaxation } from '../../lib/scheduling/relaxations.ts';
import * as api from '../../schema/api/availability.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';
import { toCalendarAnswer, toSlotAnswer } from '../slot-answer.ts';

export const availability = new Hono<AppEnv>();

serve(availability, api.findAvailability, async ({ ctx, platform, query, body }) => {
  const { attendees, context } = body;
  const { slots, window, message, relaxations, suggestedTitle, calendars } = await findAvailability(ctx, platform, {
    attendees,
    durationMinutes: body.duration_minutes,
    dateRange: toDateRange(body),
    context,
    isFresh: query.fresh,
  });
  return {
    slots: slots.map(toSlotAnswer),
    total_found: slots.length,
    search_window: window,
    message,
    relaxations: relaxations?.map(toRelaxationAnswer),
    suggested_title: suggestedTitle,
    calendars: calendars.map(toCalendarAnswer),
  };
});

serve(availability, api.explainAvailability, async ({ ctx, platform, query, body }) => {
  const { explanation, window, calendars } = await explainAvailability(ctx, platform, {
    attendees: body.attendees,
    isFresh: query.fresh,
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

const toRelaxationAnswer = (relaxation: Relaxation) => {
  const { change, email, opens } = relaxation;
  const answer = { change, email, opens };
  switch (relaxation.change) {
    case 'shorter_duration':
      return { ...answer, duration_minutes: relaxation.durationMinutes };
    case 'more_days':
      return { ...answer, end_date: relaxation.endDate };
    case 'one_more_meeting_a_day':
      return { ...answer, max_meetings_per_day: relaxation.maxMeetingsPerDay };
    case 'without_focus_block':
      return { ...answer, focus_block: relaxation.focusBlock };
    default:
      return answer;
  }
};

const toPlaceAnswer = ({ rank, candidates, slot, passedOver }: Extract<Explanation, { free: true }>) => ({
  rank,
  candidates,
  passed_over: passedOver,
  slot: toSlotAnswer(slot),
});

const toDateRange = ({ date_range: range }: { date_range?: api.DateRange | undefined }) =>
  range && { startDate: range.start_date, endDate: range.end_date };
