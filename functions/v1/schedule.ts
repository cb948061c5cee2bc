import { Hono } from 'hono';
import { acceptJob, assertStart, cancelJob, readJob, scheduleMeeting } from '../../lib/meetings/index.ts';
import { isoUtc } from '../../schema/answers/meeting-answers.ts';
import { toTimesGiven } from '../../schema/api/reading.ts';
import * as api from '../../schema/api/schedule.ts';
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
  return {
    job_id: id,
    status,
    created_at: isoUtc(createdAt),
    completed_at: completedAt === null ? null : isoUtc(completedAt),
    result,
  };
});

serve(schedule, api.cancelJob, async ({ ctx, platform, params }) => {
  const { id, booking, completedAt } = await cancelJob(ctx, platform, params.job_id);
  return { success: true as const, job_id: id, status: 'failed' as const, booking, completed_at: isoUtc(completedAt) };
});
