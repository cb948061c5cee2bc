import { Hono } from 'hono';
import { acceptJob } from '../../lib/jobs/accept.ts';
import { readJob } from '../../lib/jobs/job.ts';
import { isoUtc } from '../../lib/meetings/answers.ts';
import { scheduleMeeting } from '../../lib/meetings/schedule.ts';
import { assertStart } from '../../lib/meetings/start-time.ts';
import * as api from '../../schema/api/schedule.ts';
import type { AppEnv } from '../env.ts';
import { serve, serveOnce } from '../serve.ts';

export const schedule = new Hono<AppEnv>();

serveOnce(
  schedule,
  api.scheduleMeeting,
  // What was booked in time is answered again later too.
  { name: 'schedule', lookFirst: ({ ctx, body }) => body.start_time <= ctx.clock.now() },
  async ({ ctx, platform, body, idempotency }) => {
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
    });
  },
);

serveOnce(
  schedule,
  api.scheduleAutomatically,
  { name: 'schedule.auto' },
  ({ ctx, platform, body: { duration_minutes: durationMinutes, metadata = {}, ...request }, idempotency }) =>
    acceptJob(ctx, platform, { ...request, durationMinutes, metadata }, idempotency),
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
