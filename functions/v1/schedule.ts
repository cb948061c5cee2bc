import { Hono } from 'hono';
import { startsInThePast } from '../../lib/errors.ts';
import { acceptJob } from '../../lib/jobs/accept-job.ts';
import { BOOK_OPERATION } from '../../lib/meetings/book.ts';
import { createMeeting } from '../../lib/meetings/create.ts';
import { AutoScheduleRequest, ScheduleRequest } from '../../schema/api/schedule.ts';
import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import { readBody } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';
import { once } from '../idempotency.ts';

export const schedule = new Hono<AppEnv>();

schedule.post('/v1/schedule', async (c) => {
  const body = await readBody(c, ScheduleRequest);
  // What was booked in time is answered again later too.
  const isPast = body.start_time <= c.var.ctx.clock.now();
  const book = async (idempotency: KeyClaim | undefined) => {
    if (isPast) throw startsInThePast();
    return createMeeting(c.var.ctx, platformOf(c), {
      attendees: body.attendees,
      start: body.start_time,
      durationMinutes: body.duration_minutes,
      title: body.title,
      description: body.description ?? null,
      location: body.location,
      requireFree: body.require_free,
      idempotency,
    });
  };
  return once(c, BOOK_OPERATION, body, book, { lookFirst: isPast });
});

schedule.post('/v1/schedule/auto', async (c) => {
  const { duration_minutes: durationMinutes, auto: _, ...body } = await readBody(c, AutoScheduleRequest);
  const request = { ...body, durationMinutes };
  return once(c, 'schedule.auto', request, (claim) => acceptJob(c.var.ctx, platformOf(c), request, claim), {
    status: 202,
  });
});
