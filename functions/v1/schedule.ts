import { Hono } from 'hono';
import { explainAvailability, findAvailability } from '../../lib/availability/search.ts';
import { acceptJob, assertStart, cancelJob, readJob, scheduleMeeting } from '../../lib/meetings/index.ts';
import type { ExplanationInWords } from '../../lib/words/explanation.ts';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import * as availabilityApi from '../../schema/api/availability.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import * as api from '../../schema/api/schedule.ts';
import { isoOrNull, toCalendarAnswer, toReadingAnswer, toRelaxationAnswers, toSlotAnswer } from '../http/answers.ts';
import type { AppEnv } from '../http/env.ts';
import { serve, serveOnce } from '../http/serve.ts';

export const schedule = new Hono<AppEnv>();

serveOnce(
  schedule,
  api.scheduleMeeting,
  // A retry may arrive after the start has passed, and must still get its first answer.
  { name: 'schedule', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, body, idempotency, warnings }) => {
    assertStart(body.start_time, ctx.clock.now());
    return scheduleMeeting(ctx, platform, {
      attendees: body.attendees,
      start: body.start_time,
      durationMinutes: body.duration_minutes,
      title: body.title,
      description: body.description ?? null,
      location: body.location,
      metadata: body.metadata ?? {},
      requireFree: body.require_free,
      idempotency,
      warnings,
    });
  },
);

serveOnce(
  schedule,
  api.scheduleAutomatically,
  { name: 'schedule.auto' },
  ({ ctx, platform, body, idempotency, warnings }) => {
    const { duration_minutes: durationMinutes, metadata = {}, when, time_ranges, ...request } = body;
    const times = toTimesGiven({ when, time_ranges });
    return acceptJob(ctx, platform, { ...request, durationMinutes, metadata }, { idempotency, warnings, times });
  },
);

serve(schedule, api.getJob, async ({ ctx, platform, params }) => {
  const { id, status, createdAt, completedAt, result } = await readJob(ctx, platform, params.job_id);
  return { job_id: id, status, created_at: isoUtc(createdAt), completed_at: isoOrNull(completedAt), result };
});

serve(schedule, api.cancelJob, async ({ ctx, platform, params }) => {
  const { id, booking, completedAt } = await cancelJob(ctx, platform, params.job_id);
  return { success: true as const, job_id: id, status: 'failed' as const, booking, completed_at: isoUtc(completedAt) };
});

serve(schedule, availabilityApi.findAvailability, async ({ ctx, platform, query, body }) => {
  const { attendees, context } = body;
  const { slots, window, message, relaxations, suggestedTitle, calendars, read } = await findAvailability(
    ctx,
    platform,
    {
      attendees,
      durationMinutes: body.duration_minutes,
      dateRange: availabilityApi.toDateRange(body),
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

serve(schedule, availabilityApi.explainAvailability, async ({ ctx, platform, query, body }) => {
  const { explanation, window, calendars, read } = await explainAvailability(ctx, platform, {
    attendees: body.attendees,
    isFresh: query.fresh,
    start: body.start_time,
    durationMinutes: body.duration_minutes,
    dateRange: availabilityApi.toDateRange(body),
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

const toPlaceAnswer = (place: Extract<ExplanationInWords, { free: true }>) => ({
  rank: place.rank,
  candidates: place.candidates,
  passed_over: place.passedOver,
  slot: toSlotAnswer(place.slot),
  own_rules: place.ownRules,
  comfort_factors: place.parts.map(({ name, email, value }) => ({ name, email, multiplier: value })),
});
