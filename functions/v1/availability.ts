import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { ExplanationInWords } from '../../lib/words/explanation.ts';
import * as api from '../../schema/api/availability.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';
import { toCalendarAnswer, toRelaxationAnswer, toSlotAnswer } from '../http/slot-answer.ts';

export const availability = new Hono<AppEnv>();

serve(availability, api.findAvailability, async ({ ctx, platform, query, body }) => {
  const { attendees, context } = body;
  const { slots, window, message, relaxations, suggestedTitle, calendars } = await findAvailability(ctx, platform, {
    attendees,
    durationMinutes: body.duration_minutes,
    dateRange: api.toDateRange(body),
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
    dateRange: api.toDateRange(body),
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

const toPlaceAnswer = ({
  rank,
  candidates,
  slot,
  parts,
  ownRules,
  passedOver,
}: Extract<ExplanationInWords, { free: true }>) => ({
  rank,
  candidates,
  passed_over: passedOver,
  slot: toSlotAnswer(slot),
  own_rules: ownRules,
  comfort_factors: parts.map(({ name, email, value }) => ({ name, email, multiplier: value })),
});
