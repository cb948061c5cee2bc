import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import type { ExplanationInWords } from '../../lib/words/explanation.ts';
import * as api from '../../schema/api/availability.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import { toCalendarAnswer, toReadingAnswer, toRelaxationAnswers, toSlotAnswer } from '../http/answers.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const availability = new Hono<AppEnv>();

serve(availability, api.findAvailability, async ({ ctx, platform, query, body }) => {
  const { attendees, context } = body;
  const { slots, window, message, relaxations, suggestedTitle, calendars, read } = await findAvailability(
    ctx,
    platform,
    {
      attendees,
      durationMinutes: body.duration_minutes,
      dateRange: api.toDateRange(body),
      ...toTimesGiven(body),
      context,
      isFresh: query.fresh,
    },
  );
  return {
    slots: slots.map(toSlotAnswer),
    total_found: slots.length,
    search_window: window,
    message,
    relaxations: relaxations && toRelaxationAnswers(relaxations),
    suggested_title: suggestedTitle,
    calendars: calendars.map(toCalendarAnswer),
    ...toReadingAnswer(read),
  };
});

serve(availability, api.explainAvailability, async ({ ctx, platform, query, body }) => {
  const { explanation, window, calendars, read } = await explainAvailability(ctx, platform, {
    attendees: body.attendees,
    isFresh: query.fresh,
    start: body.start_time,
    durationMinutes: body.duration_minutes,
    dateRange: api.toDateRange(body),
    ...toTimesGiven(body),
  });
  const { offered, free, against } = explanation;
  return {
    offered,
    free,
    against,
    ...(explanation.free ? toPlaceAnswer(explanation) : {}),
    search_window: window,
    calendars: calendars.map(toCalendarAnswer),
    ...toReadingAnswer(read),
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
