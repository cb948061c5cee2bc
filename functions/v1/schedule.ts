import { Hono } from 'hono';
import { AppError } from '../../lib/errors.ts';
import { acceptJob } from '../../lib/jobs/accept-job.ts';
import { BOOK_OPERATION } from '../../lib/meetings/book.ts';
import { createMeeting } from '../../lib/meetings/create.ts';
import { AutoScheduleRequest, ScheduleRequest } from '../../schema/api/schedule.ts';
import { readBody } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { once } from '../idempotency.ts';

export const schedule = new Hono<AppEnv>();

schedule.post('/v1/schedule', async (c) => {
  const body = await readBody(c, ScheduleRequest);
  if (body.start_time <= c.var.ctx.clock.now())
    throw new AppError('invalid_time', 'start_time must be in the future.', { field: 'start_time' });
  return once(c, BOOK_OPERATION, body, (idempotency) =>
    createMeeting(c.var.ctx, platformOf(c), {
      attendees: body.attendees,
      start: body.start_time,
      durationMinutes: body.duration_minutes,
      title: body.title,
      description: body.description ?? null,
      location: body.location,
      requireFree: body.require_free,
      idempotency,
    }),
  );
});

schedule.post('/v1/schedule/auto', async (c) => {
  const { duration_minutes: durationMinutes, auto: _, ...body } = await readBody(c, AutoScheduleRequest);
  const request = { ...body, durationMinutes };
  return once(c, 'schedule.auto', request, (claim) => acceptJob(c.var.ctx, platformOf(c), request, claim), 202);
});
